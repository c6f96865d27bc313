"""SelfImprint as it is installed: the command line and pictures, over ``memory_lib``."""
