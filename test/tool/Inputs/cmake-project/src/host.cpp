int Host;
