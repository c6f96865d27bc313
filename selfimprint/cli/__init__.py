"""The command line: one file a command; what a command means is the library's business."""
