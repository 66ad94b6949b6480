// The files that are part of the program. Each path stands here once, with the name by which Swift asks for it.

#include "EmbeddedBytes.h"
#include <string.h>

// The other files of C are of an older standard.
#pragma clang diagnostic ignored "-Wc23-extensions"

// A byte of 0 follows each content; no file has one.
static const struct {
    const char *name;
    const unsigned char *content;
} files[] = {
    // The configuration that is used without a file.
    {"stand.json", (const unsigned char[]){
#embed "../../config/stand.json" suffix(,)
        0}},
    // What the compiler accepts in each wiring's idiom.
    {"verdicts.tsv", (const unsigned char[]){
#embed "../WiringComparison/verdicts.tsv" suffix(,)
        0}},
    // The words of both languages.
    {"terms.tsv", (const unsigned char[]){
#embed "../Terms/terms.tsv" suffix(,)
        0}},
    // The words of dates and of tills.
    {"words.tsv", (const unsigned char[]){
#embed "../TextFormats/words.tsv" suffix(,)
        0}},
    // The pages for browsers.
    {"page.html", (const unsigned char[]){
#embed "../StandService/Page/page.html" suffix(,)
        0}},
    {"page.css", (const unsigned char[]){
#embed "../StandService/Page/page.css" suffix(,)
        0}},
    {"words.js", (const unsigned char[]){
#embed "../StandService/Page/words.js" suffix(,)
        0}},
    {"elements.js", (const unsigned char[]){
#embed "../StandService/Page/elements.js" suffix(,)
        0}},
    {"stand.js", (const unsigned char[]){
#embed "../StandService/Page/stand.js" suffix(,)
        0}},
    {"service.js", (const unsigned char[]){
#embed "../StandService/Page/service.js" suffix(,)
        0}},
    {"following.js", (const unsigned char[]){
#embed "../StandService/Page/following.js" suffix(,)
        0}},
    {"order.js", (const unsigned char[]){
#embed "../StandService/Page/order.js" suffix(,)
        0}},
    {"stock.js", (const unsigned char[]){
#embed "../StandService/Page/stock.js" suffix(,)
        0}},
    {"charts.js", (const unsigned char[]){
#embed "../StandService/Page/charts.js" suffix(,)
        0}},
    {"instant.js", (const unsigned char[]){
#embed "../StandService/Page/instant.js" suffix(,)
        0}},
    {"forecast.js", (const unsigned char[]){
#embed "../StandService/Page/forecast.js" suffix(,)
        0}},
    {"live.js", (const unsigned char[]){
#embed "../StandService/Page/live.js" suffix(,)
        0}},
    {"scene.js", (const unsigned char[]){
#embed "../StandService/Page/scene.js" suffix(,)
        0}},
    {"picture.js", (const unsigned char[]){
#embed "../StandService/Page/picture.js" suffix(,)
        0}},
    {"wiring.js", (const unsigned char[]){
#embed "../StandService/Page/wiring.js" suffix(,)
        0}},
    {"start.js", (const unsigned char[]){
#embed "../StandService/Page/start.js" suffix(,)
        0}},
    {"controls.js", (const unsigned char[]){
#embed "../StandService/Page/controls.js" suffix(,)
        0}},
    {"many.html", (const unsigned char[]){
#embed "../StandService/Page/many.html" suffix(,)
        0}},
    {"many.css", (const unsigned char[]){
#embed "../StandService/Page/many.css" suffix(,)
        0}},
    {"many.js", (const unsigned char[]){
#embed "../StandService/Page/many.js" suffix(,)
        0}},
    // The code that `juicestand compare --code` shows.
    {"Display.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/Display.swift" suffix(,)
        0}},
    {"DirectTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/DirectTill.swift" suffix(,)
        0}},
    {"DelegatingTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/DelegatingTill.swift" suffix(,)
        0}},
    {"MulticastTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/MulticastTill.swift" suffix(,)
        0}},
    {"ClosureTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/ClosureTill.swift" suffix(,)
        0}},
    {"LockedClosureTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/LockedClosureTill.swift" suffix(,)
        0}},
    {"BoxTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/BoxTill.swift" suffix(,)
        0}},
    {"SubjectTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/SubjectTill.swift" suffix(,)
        0}},
    {"CenterTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/CenterTill.swift" suffix(,)
        0}},
    {"NamedNotificationTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/NamedNotificationTill.swift" suffix(,)
        0}},
    {"MessageTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/MessageTill.swift" suffix(,)
        0}},
    {"MessagesTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/MessagesTill.swift" suffix(,)
        0}},
    {"MainMessageTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/MainMessageTill.swift" suffix(,)
        0}},
    {"TillActor.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/TillActor.swift" suffix(,)
        0}},
    {"TrackedTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/TrackedTill.swift" suffix(,)
        0}},
    {"ValuesTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/ValuesTill.swift" suffix(,)
        0}},
    {"StreamTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/StreamTill.swift" suffix(,)
        0}},
    {"KeyPathTill.swift", (const unsigned char[]){
#embed "../WiringComparison/Idioms/KeyPathTill.swift" suffix(,)
        0}},
    // The help pages of the commands.
    {"commands.txt", (const unsigned char[]){
#embed "../StandCommand/Program/commands.txt" suffix(,)
        0}},
    // What shells run to complete a command line.
    {"completions.bash", (const unsigned char[]){
#embed "../StandCommand/Program/completions.bash" suffix(,)
        0}},
    {"completions.zsh", (const unsigned char[]){
#embed "../StandCommand/Program/completions.zsh" suffix(,)
        0}},
    {"completions.fish", (const unsigned char[]){
#embed "../StandCommand/Program/completions.fish" suffix(,)
        0}},
    // The guides that `juicestand help TOPIC` prints.
    {"running.md", (const unsigned char[]){
#embed "../StandService/StandService.docc/Running.md" suffix(,)
        0}},
    {"watching.md", (const unsigned char[]){
#embed "../TerminalView/TerminalView.docc/Watching.md" suffix(,)
        0}},
    {"server.md", (const unsigned char[]){
#embed "../StandService/StandService.docc/Server.md" suffix(,)
        0}},
    {"experiments.md", (const unsigned char[]){
#embed "../StandExperiments/StandExperiments.docc/Experiments.md" suffix(,)
        0}},
    {"forecasts.md", (const unsigned char[]){
#embed "../StandExperiments/StandExperiments.docc/Forecasts.md" suffix(,)
        0}},
    {"fitting.md", (const unsigned char[]){
#embed "../StandFitting/StandFitting.docc/Fitting.md" suffix(,)
        0}},
    {"wirings.md", (const unsigned char[]){
#embed "../WiringComparison/WiringComparison.docc/Wirings.md" suffix(,)
        0}},
    {"libraries.md", (const unsigned char[]){
#embed "../JuiceStand/JuiceStand.docc/Libraries.md" suffix(,)
        0}},
    {"configuration.md", (const unsigned char[]){
#embed "../JuiceStand/JuiceStand.docc/Configuration.md" suffix(,)
        0}},
    {"results.md", (const unsigned char[]){
#embed "../JuiceStand/JuiceStand.docc/Results.md" suffix(,)
        0}},
    {"code.md", (const unsigned char[]){
#embed "../JuiceStand/JuiceStand.docc/Code.md" suffix(,)
        0}},
};

struct EmbeddedBytes embeddedBytes(const char *name) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i].name, name) == 0)
            return (struct EmbeddedBytes){files[i].content, strlen((const char *)files[i].content)};
    return (struct EmbeddedBytes){0, 0};
}
