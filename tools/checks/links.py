"""Compares the relative links of all Markdown files with the files and headings that they name."""

import os
import pathlib
import re
import sys

IGNORED = {".build", ".git", "node_modules"}


def anchor(heading):
    """The anchor of a heading, as GitHub makes it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(text):
    """All anchors of a document: a repeated one gets a number."""
    counts, found = {}, set()
    for heading in re.findall(r"^#+ (.*)$", without_code_blocks(text), re.MULTILINE):
        name = anchor(heading)
        count = counts.get(name, 0)
        counts[name] = count + 1
        found.add(name if count == 0 else f"{name}-{count}")
    return found


def without_code_blocks(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def links(text):
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", without_code_blocks(text)))


def markdown(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in IGNORED]
        yield from (pathlib.Path(folder, name) for name in names if name.endswith(".md"))


def findings(root):
    documents = {path: path.read_text(encoding="utf-8") for path in sorted(markdown(root))}
    known = {path: anchors(text) for path, text in documents.items()}
    for path, text in documents.items():
        for link in links(text):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, wanted = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.exists():
                yield f"{path.relative_to(root)}: there is no file {name}"
            elif wanted and target in known and wanted not in known[target]:
                yield f"{path.relative_to(root)}: {target.name} has no heading #{wanted}"

    folder = root / "docs/decisions"
    table = documents[folder / "README.md"]
    listed = set(links(table))
    for path, text in documents.items():
        if path.parent != folder or path.name == "README.md":
            continue
        if re.match(r"\d{4}-", path.name):
            if path.name not in listed:
                yield f"docs/decisions/README.md: the table lacks {path.name}"
            continue
        for heading in re.findall(r"^## (\d{4}: .*)$", text, re.MULTILINE):
            if f"{path.name}#{anchor(heading)}" not in listed:
                yield f"docs/decisions/README.md: the table lacks {heading} of {path.name}"


if __name__ == "__main__":
    found = list(findings(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    sys.exit(1 if found else 0)
