"""What several test files share. conftest.py puts the folder above on the path."""
