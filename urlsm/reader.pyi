# nothing here is visible from Python
