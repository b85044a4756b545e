int Unused;
