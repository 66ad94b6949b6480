/// The sentences and words of the live display, in each language. ``EventSentence`` has those of the events.
///
/// `{1}` and `{2}` are filled in. English forms for one and for many are separated by `|`; `{1}` then is the number.
package enum Phrase: CaseIterable, Sendable {
    // The state of the stand.
    case open, paused, closed, away, past, held, notReady
    case speed, arrivalRate, event
    // Stock.
    case stock, stockByLevel, stockByName, stockByTime, low, out, reorder, trend, unlimited, shortIn, lasts, forecastAge
    case moreFruits, moreFruitsLow
    // Orders.
    case orders, line, served, lost, wait
    case waiting, waitingOf, inTheStand, makers, makersBusy, busy, makingOrders
    case servedOrders, cups, perHour, perMinute, perSecond
    case nobodyServed, median
    // Alerts and log.
    case alerts, log, logWith, linesBack, linesMore, noLineMatches, noCustomerYet
    // Events and answers.
    case theLineIsFull
    // The history of one fruit or order.
    case orderNumber, levelOf, historyWhole, historySince, readingHistory, nothingFound
    // Keys at the bottom.
    case keyHelp, keyQuit, keyClose, keySuspend, keyBack, keyFilter, keyFocus, keyOrder, keyRestock, keyTake, keyPause,
        keyHold
    case keyRate, keySpeed, keyTime, keyPart, keySort
    case noKeyboard
    // What is typed.
    case linesWith, linesWithHint, orderLabel, orderHint, restockLabel, takeLabel, piecesHint, focusLabel, focusHint
    case juices, fruits
    // Questions.
    case orderQuestion, addQuestion, takeQuestion, pauseQuestion, resumeQuestion, closeQuestion, suspendQuestion
    // Answers.
    case cancelled, notDoneBecause, howMany, cupsRange, piecesRange, noSuchJuice, noSuchFruit, didYouMean, noSuchOrder
    case ordered, added, taken, speedIs, alreadyPaused, alreadyOpen
    case instantNotKept, fruitNeeded, notEnough, noRoom, isUnlimited, badValue, cannotSave, standClosed, standStops
    case inDoubt
    case standRefused, noAnswer, standAway, notReadyBecause, notSaving
    // The table of many stands.
    case stands, standsAway, namedLike, nameLabel, noStand, keyOpen, keyChoose
    case columnStand, columnTime, columnSpeed, columnOrders, columnShort, columnAlerts
    // Where the stand listens.
    case portTaken, socketTaken, folderTaken
    // Help.
    case keysTitle, screenTitle, pageTitle, helpBack
    case helpScroll, helpPart, helpFocus, helpFilter, helpTime, helpHold, helpSort, helpOrder, helpRestock, helpTake
    case helpPause, helpRate, helpSpeed, helpRecall, helpRedraw, helpQuit, helpClose, helpSuspend
    case helpBars, helpMarks, helpCounts, helpWaits, helpMouse
    // After the display.
    case standHasClosed, allMetrics
    case sumClosed, sumSuspended, sumMoreVerdicts, sumFound, sumUnknown, sumServed, sumServedText, sumLost
    case sumWait, sumWaitText, sumNobodyServed, sumMoney, sumMoneyText, sumProfitText, sumCustomers, sumCustomersText
    case sumMakers, sumMakersText, sumFruit, sumAlerts, sumRestocks, sumSpoiled, sumStock, sumMoreFruits
    case sumLateness, sumLatenessText, sumNoEvents

    /// The phrase in English and in Korean.
    package var texts: (english: String, korean: String) {
        switch self {
        case .open: ("open", "영업 중")
        case .paused: ("paused", "일시 정지")
        case .closed: ("closed", "영업 종료")
        case .away: ("away", "연결 끊김")
        case .past: ("past", "과거")
        case .held: ("display held, p continues", "화면 멈춤, p로 계속")
        case .notReady: ("not ready", "준비 안 됨")
        case .speed: ("speed {1}", "속도 {1}")
        case .arrivalRate: ("arrival rate {1}", "손님 수 {1}")
        case .event: ("event {1}", "사건 {1}")

        case .stock: ("Stock", "재고")
        case .stockByLevel: ("Stock by level", "재고 (적은 순)")
        case .stockByName: ("Stock by name", "재고 (이름순)")
        case .stockByTime: ("Stock by time left", "재고 (품절 순)")
        case .low: ("low", "부족")
        case .out: ("out", "품절")
        case .reorder: ("reorder", "재주문")
        case .trend: ("last {1}", "최근 {1}")
        case .unlimited: ("unlimited", "무제한")
        case .shortIn: ("short in {1}", "{1} 뒤 모자람")
        case .lasts: ("lasts", "충분")
        case .forecastAge: ("forecast {1} old", "{1} 전 예측")
        case .moreFruits: ("{1} more fruit|{1} more fruits", "과일 {1}가지 더")
        case .moreFruitsLow: ("{1} more fruit, {2} low|{1} more fruits, {2} low", "과일 {1}가지 더, {2}가지 부족")

        case .orders: ("Orders", "주문")
        case .line: ("queue", "줄")
        case .served: ("served", "판매")
        case .lost: ("lost", "놓침")
        case .wait: ("wait", "대기")
        case .waiting: ("waiting", "명 대기")
        case .waitingOf: ("waiting, of {1} place|waiting, of {1} places", "명 대기 (자리 {1})")
        case .inTheStand: ("{1} in the stand", "매장 안 {1}명")
        case .makers: ("makers", "직원")
        case .makersBusy: ("{1} of {2} busy", "{2}명 중 {1}명 작업")
        case .busy: ("{1} busy", "{1}명 작업")
        case .makingOrders: ("on {1} order|on {1} orders", "주문 {1}건 작업")
        case .servedOrders: ("order, {2}|orders, {2}", "건, {2}")
        case .cups: ("{1} cup|{1} cups", "{1}잔")
        case .perHour: ("{1} an hour", "시간당 {1}")
        case .perMinute: ("{1} a minute", "분당 {1}")
        case .perSecond: ("{1} a second", "초당 {1}")
        case .nobodyServed: ("nobody served yet", "아직 판매 없음")
        case .median: ("median", "중앙값")

        case .alerts: ("Alerts {1}", "알림 {1}")
        case .log: ("Log", "기록")
        case .logWith: ("Log with \"{1}\"", "\"{1}\" 기록")
        case .linesBack: ("{1} line back|{1} lines back", "{1}줄 위")
        case .linesMore: ("{1} line left out|{1} lines left out", "{1}줄 생략")
        case .noLineMatches: ("nothing found", "찾는 말이 든 기록이 없습니다")
        case .noCustomerYet:
            ("No customer yet. } doubles the speed of the stand.", "아직 손님이 없습니다. }를 누르면 속도가 두 배가 됩니다.")

        case .theLineIsFull: ("the queue is full", "줄이 꽉 참")

        case .orderNumber: ("Order {1}", "주문 {1}")
        case .levelOf: ("Level of {1}", "{1} 재고량")
        case .historyWhole: ("History", "이력")
        case .historySince: ("History since event {1}", "사건 {1}부터의 이력")
        case .readingHistory: ("reading the history", "이력을 읽는 중")
        case .nothingFound: ("nothing has happened yet", "아직 아무 일도 없습니다")

        case .keyHelp: ("help", "도움말")
        case .keyQuit: ("quit", "끝내기")
        case .keyClose: ("close", "닫기")
        case .keySuspend: ("suspend", "저장 종료")
        case .keyBack: ("back", "돌아가기")
        case .keyFilter: ("filter", "찾기")
        case .keyFocus: ("focus", "자세히")
        case .keyOrder: ("order", "주문")
        case .keyRestock: ("restock", "채우기")
        case .keyTake: ("take away", "빼기")
        case .keyPause: ("pause", "일시 정지")
        case .keyHold: ("hold", "화면 멈춤")
        case .keyRate: ("rate", "손님")
        case .keySpeed: ("speed", "속도")
        case .keyTime: ("past", "과거")
        case .keyPart: ("part", "영역")
        case .keySort: ("sort", "정렬")
        case .noKeyboard: ("no keys: standard input is not a terminal", "표준 입력이 터미널이 아니라서 키를 쓸 수 없습니다")

        case .linesWith: ("Lines with:", "찾을 말:")
        case .linesWithHint: ("Enter keeps it, Esc leaves", "Enter 적용, Esc 취소")
        case .orderLabel: ("Order:", "주문:")
        case .orderHint:
            ("a name or number and the cups, such as {1} 2", "이름이나 번호와 잔 수, 예: {1} 2")
        case .restockLabel: ("Restock:", "채우기:")
        case .takeLabel: ("Take away:", "빼기:")
        case .piecesHint:
            ("a name or number and the pieces, such as {1} 20", "이름이나 번호와 개수, 예: {1} 20")
        case .focusLabel: ("Focus:", "자세히:")
        case .focusHint:
            ("a fruit or the number of an order, such as {1} or 12", "과일 이름 또는 주문 번호, 예: {1}, 12")
        case .juices: ("Juices", "쥬스")
        case .fruits: ("Fruits", "과일")

        case .orderQuestion: ("Order {1} {2}?", "{2} {1}잔을 주문할까요?")
        case .addQuestion: ("Add {1} {2}?", "{2} {1}개를 채울까요?")
        case .takeQuestion: ("Take away {1} {2}?", "{2} {1}개를 뺄까요?")
        case .pauseQuestion: ("Pause the stand?", "가게를 잠시 멈출까요?")
        case .resumeQuestion: ("Let the stand go on?", "가게를 계속할까요?")
        case .closeQuestion: ("Close the stand and quit?", "가게를 닫고 끝낼까요?")
        case .suspendQuestion: ("Suspend the stand and quit?", "가게를 저장하고 끝낼까요?")

        case .cancelled: ("cancelled", "취소했습니다")
        case .notDoneBecause: ("not done: {1}", "하지 못했습니다: {1}")
        case .howMany: ("how many? A name or number, then the pieces", "몇 개입니까? 이름이나 번호, 그다음 개수")
        case .cupsRange:
            ("cups must be a whole number from 1 to {1}, found \"{2}\"", "잔 수는 1부터 {1}까지의 정수여야 합니다: \"{2}\"")
        case .piecesRange:
            ("pieces must be a whole number from 1 to {1}, found \"{2}\"", "개수는 1부터 {1}까지의 정수여야 합니다: \"{2}\"")
        case .noSuchJuice: ("no such juice: {1}", "그런 쥬스가 없습니다: {1}")
        case .noSuchFruit: ("no such fruit: {1}", "그런 과일이 없습니다: {1}")
        case .didYouMean: ("{1}; did you mean {2}?", "{1}. 혹시 {2}입니까?")
        case .noSuchOrder: ("no order {1} yet; the last one is {2}", "주문 {1}번은 아직 없습니다. 마지막 주문은 {2}번입니다")
        case .ordered: ("ordered: {1} {2}", "주문했습니다: {2} {1}잔")
        case .added: ("added: {1} {2}", "채웠습니다: {2} {1}개")
        case .taken: ("taken away: {1} {2}", "뺐습니다: {2} {1}개")
        case .speedIs: ("speed {1}", "속도 {1}")
        case .alreadyPaused: ("the stand is already paused", "가게가 이미 멈춰 있습니다")
        case .alreadyOpen: ("the stand is not paused", "가게가 멈춰 있지 않습니다")
        case .instantNotKept: ("that instant is not kept", "그 시점의 기록이 없습니다")
        case .fruitNeeded: ("{2} more {1} needed", "{1} {2}개가 더 필요합니다")
        case .notEnough: ("not enough {1}: {2} short", "{1} {2}개가 모자랍니다")
        case .noRoom: ("no room for that much {1}: {2} too many", "{1} 자리가 {2}개 모자랍니다")
        case .isUnlimited: ("{1} is unlimited", "{1}: 무제한이라 바꿀 수 없습니다")
        case .badValue: ("the value is out of range", "값이 범위를 벗어났습니다")
        case .cannotSave: ("changes cannot be saved now", "지금은 변경을 저장할 수 없습니다")
        case .inDoubt: ("not saved, but may take effect at the next start", "저장하지 못했지만 다음 시작 때 적용될 수 있습니다")
        case .standClosed: ("the stand has closed", "가게가 문을 닫았습니다")
        case .standStops: ("the stand is stopping", "가게가 문을 닫는 중입니다")
        case .standRefused: ("the stand refused", "가게가 받아들이지 않았습니다")
        case .noAnswer: ("the stand does not answer", "가게가 응답하지 않습니다")
        case .standAway: ("the stand is away; waiting for it", "가게와 연결이 끊겼습니다. 다시 연결하는 중입니다")
        case .notReadyBecause: ("not ready: {1}", "준비 안 됨: {1}")
        case .notSaving: ("ledger or state cannot be written", "원장이나 상태를 저장할 수 없습니다")

        case .stands: ("{1} stand|{1} stands", "가게 {1}곳")
        case .standsAway: ("{1} away", "{1}곳 연결 끊김")
        case .namedLike: ("{2} with \"{1}\"", "이름에 \"{1}\": {2}곳")
        case .nameLabel: ("Name:", "이름:")
        case .noStand: ("no stand has this name", "그런 이름의 가게가 없습니다")
        case .keyOpen: ("open", "열기")
        case .keyChoose: ("choose", "고르기")
        case .columnStand: ("stand", "가게")
        case .columnTime: ("time", "시각")
        case .columnSpeed: ("speed", "속도")
        case .columnOrders: ("a min", "분당")
        case .columnShort: ("short first", "먼저 모자람")
        case .columnAlerts: ("alerts", "알림")

        case .portTaken:
            (
                "Port {1} is taken. This stand listens on port {2}.",
                "포트 {1}은 이미 쓰이고 있습니다. 이 가게의 포트는 {2}입니다."
            )
        case .socketTaken:
            (
                "Another stand is running and gets the commands. Commands for this one need",
                "명령은 먼저 실행된 다른 가게로 갑니다. 이 가게에 보내려면:"
            )
        case .folderTaken:
            (
                "Another user has the usual folder. Commands for this stand need",
                "다른 사용자가 기본 폴더를 쓰고 있습니다. 이 가게에 보내는 명령에 필요한 옵션:"
            )

        case .keysTitle: ("Keys", "키")
        case .screenTitle: ("Screen", "화면")
        case .pageTitle: ("Page", "웹 페이지")
        case .helpBack: ("↑ ↓ scroll; any other key goes back", "↑ ↓ 이동, 다른 키를 누르면 돌아갑니다")
        case .helpScroll:
            ("scroll, as the mouse wheel does; g goes to the start, G to the end", "이동, 마우스 휠도 됩니다. g는 처음, G는 끝")
        case .helpPart: ("chooses what scrolls: log, alerts or stock", "이동할 영역: 기록, 알림, 재고")
        case .helpFocus: ("shows the history of a fruit or an order; Esc goes back", "과일이나 주문의 이력. Esc는 돌아가기")
        case .helpFilter: ("shows only log lines that contain a text; Esc shows all", "그 말이 든 기록만 봅니다. Esc는 모두 보기")
        case .helpTime: ("back and forward by an event, and to now", "사건 하나 앞뒤로, 그리고 현재로")
        case .helpHold: ("freezes or unfreezes the display; the stand continues", "화면만 멈추거나 다시 움직입니다. 가게는 계속됩니다")
        case .helpSort: ("sort the fruits: menu, level, name, time left", "과일 정렬: 메뉴, 재고량, 이름, 남은 시간")
        case .helpOrder: ("orders juice: a name or a number, then the cups", "쥬스 주문: 이름이나 번호, 그다음 잔 수")
        case .helpRestock: ("adds fruit to the stock: a name or a number, then the pieces", "과일 채우기: 이름이나 번호, 그다음 개수")
        case .helpTake: ("takes fruit away: a name or a number, then the pieces", "과일 빼기: 이름이나 번호, 그다음 개수")
        case .helpPause: ("pauses the stand, or lets it go on", "가게를 멈추거나 다시 엽니다")
        case .helpRate: ("double and halve the arrival rate", "손님 수를 두 배로, 절반으로")
        case .helpSpeed: ("halve and double the speed", "속도를 절반으로, 두 배로")
        case .helpRecall: ("in a line of input: bring back earlier input", "입력할 때: 이전에 입력한 말")
        case .helpRedraw: ("redraws the screen", "화면을 다시 그립니다")
        case .helpQuit: ("ends the display; the stand continues", "화면만 끝냅니다. 가게는 계속됩니다")
        case .helpClose: ("closes the stand", "가게를 닫고 끝냅니다")
        case .helpSuspend: ("suspends the stand; the next start resumes it", "가게를 저장하고 끝냅니다. 다시 시작하면 이어집니다")
        case .helpBars:
            (
                "Bars show levels; full is the shelf's capacity or the restocking target.",
                "막대는 재고량입니다. 가득 찬 막대는 선반 용량이나 보충 목표입니다."
            )
        case .helpMarks:
            ("{1} marks low stock, {2} the reorder point, + what is on order.", "{1} 부족 기준, {2} 재주문 기준, + 발주한 개수.")
        case .helpCounts:
            (
                "Counts are those of /metrics and the ledger at the event named above.",
                "숫자는 위에 적힌 사건까지의 원장과 /metrics 값입니다."
            )
        case .helpWaits:
            ("Waits are of the last served orders that this display has seen.", "대기 시간은 이 화면에 나온 최근 판매 주문의 값입니다.")
        case .helpMouse: ("Shift and the mouse select text.", "Shift를 누르고 마우스를 끌면 글자가 선택됩니다.")

        case .standHasClosed: ("The stand has closed.", "가게가 문을 닫았습니다.")
        case .allMetrics: ("All metrics: --verbose or --format json", "모든 지표: --verbose 또는 --format json")
        case .sumClosed: ("{1}, seed {2}, closed at {3}", "{1}, 시드 {2}, {3}에 영업 종료")
        case .sumSuspended: ("{1}, seed {2}, suspended at {3}", "{1}, 시드 {2}, {3}에 저장하고 멈춤")
        case .sumMoreVerdicts: ("and {1} more expectations, {2} of them failed", "그 밖의 기대 {1}개, 그중 {2}개 실패")
        case .sumFound: (", found ", ", 결과 ")
        case .sumUnknown: (", found no observations", ", 관측 없음")
        case .sumServed: ("served", "판매")
        case .sumServedText: ("{1}{2}, {3}", "{1}명{2}, {3}")
        case .sumLost: ("lost", "놓침")
        case .sumWait: ("wait", "대기")
        case .sumWaitText: ("median {1}, 95% within {2}, longest {3}", "중앙값 {1}, 95%가 {2} 안, 최장 {3}")
        case .sumNobodyServed: ("nobody was served", "판매 없음")
        case .sumMoney: ("money", "금액")
        case .sumMoneyText: ("{1} revenue, {2} costs", "매출 {1}, 비용 {2}")
        case .sumProfitText: ("{1} revenue, {2} costs, {3} profit", "매출 {1}, 비용 {2}, 이익 {3}")
        case .sumCustomers: ("customers", "손님")
        case .sumCustomersText: ("{1} arrived, {2} still in the stand", "{1}명 방문, {2}명 아직 매장 안")
        case .sumMakers: ("makers", "직원")
        case .sumMakersText: ("busy {1}% of the time", "일한 시간 {1}%")
        case .sumFruit: ("fruit", "과일")
        case .sumAlerts: ("{1} low-stock alert|{1} low-stock alerts", "부족 알림 {1}번")
        case .sumRestocks: ("{1} restocking order|{1} restocking orders", "발주 {1}번")
        case .sumSpoiled: ("{1} piece spoiled|{1} pieces spoiled", "상한 것 {1}개")
        case .sumStock: ("stock", "재고")
        case .sumMoreFruits: ("and {1} more fruit|and {1} more fruits", "그 밖의 과일 {1}가지")
        case .sumLateness: ("lateness", "지연")
        case .sumLatenessText: ("99% of events within {1} of their time, longest {2}", "사건의 99%가 {1} 안에, 최장 {2}")
        case .sumNoEvents: ("no events", "사건 없음")
        }
    }
}
