print("tidy: no rules yet")
