// For check_control: a library that can't be loaded, since nobody defines what it calls.
int nobody_defines(int a);

int broken(int a) {
    return nobody_defines(a);
}
