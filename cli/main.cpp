// The glia command.
int main() { return 0; }
