# Computes an index of two partitions for each line of its standard input.
# Rscript in_r.R INDEX P.csv Q.csv LABELS.csv; packages must be installed.

arguments <- commandArgs(trailingOnly = TRUE)
read <- function(path) unname(as.matrix(read.csv(path, header = FALSE)))
P <- read(arguments[2])
Q <- read(arguments[3])
labels <- as.vector(read(arguments[4]))
index <- switch(
  arguments[1],
  "FARI::aci" = function() FARI::aci(P, Q),
  "FARI::fari" = function() FARI::fari(P, Q),
  "fclust::RI.F" = function() fclust::RI.F(labels, P),
  "fclust::ARI.F" = function() fclust::ARI.F(labels, P),
  stop("no such index: ", arguments[1])
)
told <- file("stdin", "r")
while (length(readLines(told, n = 1)) > 0) {
  result <- index()
  cat("done\n")
  flush(stdout())
}
