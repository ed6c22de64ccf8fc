"""Memory and files of this machine: what there is, what is read and written."""
