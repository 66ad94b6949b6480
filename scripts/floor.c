// The floor of a post: a loop in C that calls a function pointer for each observer. scripts/bench bus builds and runs it.
// Prints a line for 1, 3, 10 and 100 observers: their number, and for each of 161 passes the nanoseconds of processor time of a post.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// What is posted: 48 bytes.
struct sale {
    uint64_t sequence, order;
    int64_t at, juice, cups;
    double price;
};

struct observer {
    void (*call)(const struct sale *sale, uint64_t *total);
    uint64_t *total;
};

enum { ROUNDS = 161 };

static void count(const struct sale *sale, uint64_t *total) { *total += sale->order; }

__attribute__((noinline)) static void post(const struct observer *observers, int number, const struct sale *sale) {
    for (int index = 0; index < number; index++) observers[index].call(sale, observers[index].total);
}

static double processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

// Nanoseconds of a post in a pass of `posts` posts.
static double pass(const struct observer *observers, int number, uint64_t posts) {
    double begun = processor_time();
    for (uint64_t order = 1; order <= posts; order++) {
        struct sale sale = {.order = order, .cups = 1, .price = 4.5};
        post(observers, number, &sale);
    }
    return (processor_time() - begun) / posts;
}

int main(void) {
    int numbers[] = {1, 3, 10, 100};
    for (int place = 0; place < 4; place++) {
        int number = numbers[place];
        uint64_t totals[100] = {0};
        struct observer observers[100];
        for (int index = 0; index < number; index++) observers[index] = (struct observer){count, &totals[index]};
        uint64_t posts = 1000000 / number;
        printf("%d", number);
        for (int round = 0; round < ROUNDS; round++) printf(" %.2f", pass(observers, number, posts));
        puts("");
        for (int index = 0; index < number; index++)
            if (totals[index] != ROUNDS * (posts * (posts + 1) / 2)) abort();
    }
}
