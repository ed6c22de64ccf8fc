"""Reading and writing partitions and tables."""

from concordant.errors import FileError
from concordant.files.formats import read_table
from concordant.files.partitions import as_partition, read_partition, read_partitions
from concordant.files.table import Column, ReadSummary, Table
from concordant.files.writing import check_table_name, table_text, write_table
from concordant.storage.atomic import write_bytes_atomically, write_text_atomically

__all__ = [
    "Column",
    "FileError",
    "ReadSummary",
    "Table",
    "as_partition",
    "check_table_name",
    "read_partition",
    "read_partitions",
    "read_table",
    "table_text",
    "write_bytes_atomically",
    "write_table",
    "write_text_atomically",
]
