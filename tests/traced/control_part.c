// For check_control: what inner() of control.c is replaced by.
int (*ten_times_original)(int, double);

int ten_times(int a, double b) {
    return ten_times_original(a, b) * 10;
}
int not_called(int a) {
    return a;
}
