// The texts of the page in both languages. Names in braces are placeholders.

const words = {
	en: {
		skip: 'Skip to the content', views: 'Views', order: 'Order', sceneTab: 'Stand', liveTab: 'Live',
		changeStock: 'Change the stock', close: 'Close', save: 'Save ({n})', cancel: 'Cancel', discard: 'Discard',
		yes: 'Yes', no: 'No', fine: 'OK', other: '한국어',
		fruit: 'Fruit', category: 'Category', all: 'all', makeable: 'Can be made now', favourites: 'Favourites', filter: 'Filter',
		recommended: 'Recommended with today’s stock', menu: 'Menu', ordered: 'What you have ordered',
		nothing: 'Nothing yet', orderOf: 'Order {juice}', cupsOf: 'Cups of {juice}', favour: 'Favourite: {juice}',
		inHand: '{n} in hand', missing: '{n} missing', unlimited: 'unlimited', canMake: 'Enough for {n}', cannotMake: 'Not enough fruit', perCup: '{span} a cup', alike: 'similar to {juice}', liked: 'you like it',
		orderNumber: 'Order {n}: {juice}, {state}', instead: 'Order {n}: {juice} instead, {wished} is sold out', ready: '{juice} is ready, enjoy!',
		state: { short: 'waits for fruit', waiting: 'in the queue', making: 'being made', served: 'served', lost: 'lost', over: 'over' },
		shortage: 'Not enough fruit. Change the stock?', shortBy: '{n} {fruit} missing for {juice}.', could: 'Available instead:',
		lineFull: 'The queue is full', failed: 'That didn’t work', unreachable: 'The stand can’t be reached.',
		token: 'Changes need the stand’s token',
		whereToken: 'Press ? in the display of “juicestand run” for a link with it, or enter the token from the file named in its log.',
		now: 'Now', wanted: 'Stock', difference: 'Difference', edited: 'The stock has been changed.',
		editedElsewhere: 'Someone else changed the stock: {what}. Your changes are kept.',
		low: 'low', beingMade: 'Being made',
		levels: 'Levels', lowMark: 'low stock', reorderMark: 'reorder point', comingMark: 'on order', onOrder: '+{n} on order', line: 'The queue', alerts: 'Alerts', log: 'Log', asOfEvent: 'Event',
		figures: { wait: 'Median wait', revenue: 'Revenue', served: 'Served', lost: 'Lost', queue: 'In the queue', makers: 'Makers busy', orders: 'Orders', present: 'In the stand', alerts: 'Low-stock alerts' },
		waitsOf: '95% within {p95}, 99% within {p99}',
		time: 'Time', tenMinutes: '10 min', hour: '1 h', day: '1 day', sinceOpening: 'All', scrub: 'Instant shown', previous: 'Previous event', next: 'Next event', following: 'Following now', asOf: 'As it was at {time}',
		controls: 'Controls', pause: 'Pause', resume: 'Resume', arrivalRate: 'Arrival rate × {n}', speedOf: 'Speed × {n}', behindBy: '{span} behind', half: 'Half the arrival rate', double: 'Twice the arrival rate', readOnly: 'Read-only: enter the token',
		shortAbout: 'short from about {time} ({from}–{to})', lasts: 'lasts over 4 h', forecastAge: 'Forecast {span} old',
		restock: 'Restock', restockOf: 'Restock {fruit}', getLedger: 'Ledger (JSON Lines)', getFigures: 'Figures (CSV)', downloads: 'Download', discardChanges: 'Discard your changes?', goOnEditing: 'Go on editing',
		perOrder: '{n} an order', shareOf: '{n} of all orders', places: 'of {n} places',
		waiting: 'Customers', perMinute: '{what} per minute',
		bus: 'The bus: who observes which fact', fact: 'Fact, posted by', poster: { stand: 'the stand', orders: 'orders', stock: 'the stock', commands: 'commands' }, perSecond: 'per second', together: 'all calls',
		slowest: 'Slowest call: {observer} on {fact}, {time}.', unheard: 'Posts that nobody heard: {n}.', price: 'While this is open, each call is timed and takes {time} longer.', untimed: 'This wiring can’t time its observers.',
		live: 'live', connecting: 'connecting …', away: 'away since {time}, trying again …', paused: 'paused', closed: 'closed at {time}',
		closing: '{served} of {orders} orders were served ({share}), {lost} were lost{reasons}. Low-stock alerts: {alerts}.',
		newStand: 'A new stand has opened.',
		event: {
			gap: 'Older events not kept: {n}', opened: 'Opened', orderPlaced: 'Order {order}: {cups} × {juice} {by}', orderStarted: 'Order {order} is being made',
			orderServed: 'Order {order} served after {stay} s', orderSubstituted: 'Order {order}: {juice} instead of {wished}',
			orderLost: 'Order {order} lost: {reason} {fruit}', orderBackordered: 'Order {order} waits for {fruit}: {cups} ×',
			stockChanged: '{fruit} {from} → {to}, {cause}', lowStock: '{fruit} is low: {level} left', stockRecovered: '{fruit} has recovered: {level}',
			restockOrdered: '{pieces} {fruit} ordered', restockDelivered: '{pieces} {fruit} delivered', configurationChanged: '{key}: {from} → {to}',
			rateChanged: 'Arrival rate × {factor}', paused: 'Paused', resumed: 'Resumed', closed: 'Closed, unfinished orders: {open}',
		},
		by: { customer: '', command: '(by hand)' },
		cause: { order: 'order', return: 'return', delivery: 'delivery', edit: 'edit', spoilage: 'spoilage' },
	},
	ko: {
		skip: '본문으로 건너뛰기', views: '화면', order: '주문', sceneTab: '가게', liveTab: '현황',
		changeStock: '재고 수정', close: '닫기', save: '저장 ({n}개)', cancel: '취소', discard: '버리기',
		yes: '예', no: '아니오', fine: '확인', other: 'English',
		fruit: '과일', category: '분류', all: '전체', makeable: '지금 가능', favourites: '즐겨찾기', filter: '검색',
		recommended: '오늘의 재고로 추천', menu: '메뉴', ordered: '내 주문',
		nothing: '아직 없어요', orderOf: '{juice} 주문', cupsOf: '{juice} 잔 수', favour: '즐겨찾기: {juice}',
		inHand: '재고 {n}개', missing: '{n}개 부족', unlimited: '무제한', canMake: '{n}잔 가능', cannotMake: '재료 부족', perCup: '한 잔에 {span}', alike: '비슷한 것: {juice}', liked: '좋아하는 것',
		orderNumber: '주문 {n}번: {juice}, {state}', instead: '주문 {n}번: {wished} 품절, 대신 {juice}', ready: '{juice} 나왔습니다! 맛있게 드세요!',
		state: { short: '재료 대기', waiting: '대기 중', making: '만드는 중', served: '나왔음', lost: '취소', over: '끝남' },
		shortage: '재료가 모자라요. 재고를 수정할까요?', shortBy: '{juice}: {fruit} {n}개가 모자라요.', could: '대신 만들 수 있는 쥬스:',
		lineFull: '줄이 꽉 찼어요', failed: '처리하지 못했어요', unreachable: '가게에 연결할 수 없어요.',
		token: '가게를 바꾸려면 토큰이 필요해요',
		whereToken: '“juicestand run” 화면에서 ?를 누르면 나오는 링크로 열거나, 로그에 적힌 파일의 토큰을 입력해 주세요.',
		now: '현재', wanted: '재고', difference: '차이', edited: '재고를 수정했어요.',
		editedElsewhere: '그동안 다른 사람이 재고를 수정했어요: {what}. 내 수정은 그대로예요.',
		low: '부족', beingMade: '만드는 중',
		levels: '재고', lowMark: '부족 기준', reorderMark: '재주문 기준', comingMark: '주문 중', onOrder: '+{n} 주문 중', line: '대기 줄', alerts: '알림', log: '기록', asOfEvent: '이벤트',
		figures: { wait: '대기 중앙값', revenue: '매출', served: '나간 주문', lost: '놓친 주문', queue: '대기', makers: '작업 중', orders: '주문', present: '가게 안', alerts: '재고 부족 알림' },
		waitsOf: '95% {p95} 이내, 99% {p99} 이내',
		time: '시간', tenMinutes: '10분', hour: '1시간', day: '하루', sinceOpening: '전체', scrub: '보고 있는 시각', previous: '이전 이벤트', next: '다음 이벤트', following: '지금을 보는 중', asOf: '{time}의 모습',
		controls: '조작', pause: '일시 정지', resume: '다시 시작', arrivalRate: '손님 수 {n}배', speedOf: '속도 {n}배', behindBy: '{span} 늦음', half: '손님 수 절반으로', double: '손님 수 두 배로', readOnly: '읽기 전용: 토큰 입력',
		shortAbout: '{time}쯤부터 모자람 ({from}–{to})', lasts: '4시간 이상 충분', forecastAge: '{span} 전 예측',
		restock: '채우기', restockOf: '{fruit} 채우기', getLedger: '장부 (JSON Lines)', getFigures: '수치 (CSV)', downloads: '내려받기', discardChanges: '수정한 내용을 버릴까요?', goOnEditing: '계속 수정',
		perOrder: '주문당 {n}', shareOf: '전체 주문의 {n}', places: '{n}자리 중',
		waiting: '손님', perMinute: '분당 {what}',
		bus: '버스: 어떤 관찰자가 무엇을 듣나', fact: '알림, 보낸 곳', poster: { stand: '가게', orders: '주문', stock: '재고', commands: '명령' }, perSecond: '초당', together: '호출 전체',
		slowest: '가장 느린 호출: {fact}의 {observer}, {time}.', unheard: '아무도 듣지 않은 알림: {n}개.', price: '열려 있는 동안 호출마다 시간을 재고, 그만큼 {time} 느려져요.', untimed: '이 방식은 관찰자별 시간을 잴 수 없어요.',
		live: '연결됨', connecting: '연결 중 …', away: '{time}부터 연결 끊김, 다시 연결 중 …', paused: '일시 정지', closed: '{time}에 영업 종료',
		closing: '주문 {orders}건 중 {served}건이 나갔고 ({share}), {lost}건을 놓쳤어요{reasons}. 재고 부족 알림 {alerts}번.',
		newStand: '새 가게가 문을 열었어요.',
		event: {
			gap: '이벤트 {n}개는 남아 있지 않아요', opened: '영업 시작', orderPlaced: '주문 {order}번: {juice} {cups}잔 {by}', orderStarted: '주문 {order}번 만드는 중',
			orderServed: '주문 {order}번 {stay}초 만에 나감', orderSubstituted: '주문 {order}번: {wished} 대신 {juice}',
			orderLost: '주문 {order}번 놓침: {reason} {fruit}', orderBackordered: '주문 {order}번: {fruit} 기다리는 중 {cups}잔',
			stockChanged: '{fruit} {from} → {to}, {cause}', lowStock: '{fruit} 부족: {level}개 남음', stockRecovered: '{fruit} 회복: {level}개',
			restockOrdered: '{fruit} {pieces}개 발주', restockDelivered: '{fruit} {pieces}개 입고', configurationChanged: '{key}: {from} → {to}',
			rateChanged: '손님 수 {factor}배', paused: '일시 정지', resumed: '다시 시작', closed: '영업 종료, 남은 주문 {open}',
		},
		by: { customer: '', command: '(직접)' },
		cause: { order: '주문', return: '반환', delivery: '입고', edit: '수정', spoilage: '상함' },
	},
};

let language = localStorage.getItem('language') ?? navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in words) ?? 'en';

/** The text of that name in `texts`, with its placeholders filled in. */
function say(name, values = {}, texts = words[language]) {
	const phrase = texts[name] ?? name;
	const said = phrase.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '').trim();
	return phrase.startsWith('{') ? capitalized(said) : said;
}

function capitalized(text) {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The name of a fruit or juice in the current language. */
function called(thing) {
	return thing.names?.[language] ?? thing.name;
}

function count(number) {
	return number.toLocaleString(language);
}

/** The second of the day at which the stand opened. */
const openingSecond = () => stand.opens.slice(11).split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** A stand time as people read and type it: the time of day, and once the stand is in its second day with the number of the day. */
function clock(time) {
	const second = Math.floor(openingSecond() + time);
	const day = Math.floor(second / 86400) + 1;
	return (Math.max(second, openingSecond() + timeOfNow()) < 86400 ? '' : day + ' ') + new Date(second % 86400 * 1000).toISOString().slice(11, 19);
}

/** The categories and methods of the standard menu. */
const translations = { ko: { __proto__: null, 'single fruit': '한 가지 과일', mixed: '섞은 과일', 'blend with ice': '얼음과 갈기', 'blend with milk': '우유와 갈기', press: '짜기' } };

/** A category or method in the current language, if it is one of the standard menu. */
const translated = (text) => translations[language]?.[text] ?? text;

/** A price in the currency of the stand. */
function money(sum) {
	if (sum === undefined) return '–';
	try {
		return sum.toLocaleString(language, { style: 'currency', currency: stand.currency, maximumFractionDigits: sum < 1000 ? undefined : 0 });
	} catch {
		// A currency may be any text, and only codes of three letters have a style.
		return `${count(sum)} ${stand.currency}`;
	}
}

/** How spans are written, kept because it takes long to make one. */
const spans = new Map();

/** A span of seconds in a few letters. */
function spell(time) {
	if (time == null) return '–';
	const [value, unit] = time < 100 ? [time, 'second'] : time < 6000 ? [time / 60, 'minute'] : [time / 3600, 'hour'];
	const maximumFractionDigits = value < 10 ? 1 : 0;
	const key = language + unit + maximumFractionDigits;
	if (!spans.has(key)) spans.set(key, new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }));
	return spans.get(key).format(value);
}
