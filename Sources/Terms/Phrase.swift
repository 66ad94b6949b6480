/// The texts of the live display and of ordering, by their keys in the list of terms.
///
/// `{1}` and `{2}` are filled in. English forms for one and for many are separated by `|`; `{1}` then is the number.
package enum Phrase: String, CaseIterable, Sendable {
    // The state of the stand.
    case open, paused, closed, away, past, held, notReady
    case speed, arrivalRate, event
    // Stock.
    case stock, stockByLevel, stockByName, stockByTime, low, out, reorder, trend, unlimited, shortIn, lasts,
        forecastAge
    case moreFruits, moreFruitsLow
    // Orders.
    case orders, line, served, lost, wait
    case waiting, waitingOf, inTheStand, makers, makersBusy, busy
    case servedOrders, cups, perHour, perMinute, perSecond
    case nobodyServed, median
    // Alerts and log.
    case alertsCounted, log, logWith, linesBack, linesMore, noLineMatches, noCustomerYet
    // Keys at the bottom.
    case keyHelp, keyQuit, keyClose, keySuspend, keyBack, keyFilter, keyOrder, keyRestock, keyTake, keyPause,
        keyHold
    case keyRate, keySpeed, keyTime, keyPart, keySort
    case noKeyboard
    // What is typed.
    case linesWith, linesWithHint, orderLabel, orderHint, restockLabel, takeLabel, piecesHint
    case juices, fruits
    // Questions.
    case orderQuestion, addQuestion, takeQuestion, pauseQuestion, resumeQuestion, closeQuestion, suspendQuestion
    // Answers.
    case cancelled, notDoneBecause, howMany, cupsRange, piecesRange, noSuchJuice, noSuchFruit, didYouMean
    case ordered, added, taken, alreadyPaused, alreadyOpen
    case noAnswer, standAway, notReadyBecause, notSaving
    // The table of many stands.
    case stands, standsAway, namedLike, badList, nameLabel, noStand, keyOpen, keyChoose
    case columnStand, columnTime, columnSpeed, columnOrders, columnShort, columnAlerts
    // Where the stand listens.
    case portTaken, socketTaken, folderTaken
    // Help.
    case keysTitle, screenTitle, pageTitle, helpBack
    case helpScroll, helpPart, helpFilter, helpTime, helpHold, helpSort, helpOrder, helpRestock, helpTake
    case helpPause, helpRate, helpSpeed, helpRecall, helpRedraw, helpQuit, helpClose, helpSuspend
    case helpBars, helpMarks, helpCounts, helpWaits, helpMouse
    // After the display.
    case standHasClosed
    // What order, restock, adjust, stock, menu and status say.
    case orderTaken, orderShort, orderStarted, orderQueued, orderPaused, insteadOf, tryLater, shortOf
    case nothingInstead, haveInstead, orderWasLost
    case statusHead, statusBehind, statusOrders, statusQueue, statusMakers, statusBusy, statusSocket
    case statusPage, statusForecast, statusLasts, statusShort, statusMany, statusSilent, editTag, levelNow, menuCategory
    case menuMethod, menuTakes, menuMean, piecesOf, piecesMissing, canBeMade, anyCups, enoughFor, noJuiceMatches
}
