// The page of many stands: a row for each, those that need attention first. It only reads.

/** The last answer of the server; the stands are in the order in which they need attention. */
let overview = { stands: [], alerts: [], problem: null };
let isReachable = true;

const tenths = (value, style = 'decimal') => value == null ? '' : formatted(style === 'percent' ? value / 100 : value, { style, maximumFractionDigits: value < 9.95 ? 1 : 0 });

/** The columns: title, text, and whether that needs attention. */
const columns = [
	['time', ({ away, phase, clock }) => away ? capitalized(say('away')) : phase === 'paused' || phase === 'closed' ? capitalized(say(phase)) : clock, ({ away }) => away],
	['speedTitle', ({ speed }) => speed === undefined ? '' : '×' + tenths(speed), ({ behind }) => behind],
	['ordersPerMinute', ({ perMinute }) => tenths(perMinute)],
	['inLine', ({ queue }) => queue === undefined ? '' : count(queue)],
	['medianWait', ({ wait }) => wait === undefined ? '' : spell(wait)],
	['shortFirst', ({ short }) => short ? capitalized(called({ name: short.fruit })) + ' ' + (short.level === 0 ? say('out') : short.after === null ? count(short.level) : spell(short.after)) : '', ({ short }) => short?.level === 0],
	['alerts', ({ alerts }) => alerts === undefined ? '' : count(alerts)],
	['lostShare', ({ lost }) => tenths(lost, 'percent'), ({ lost }) => lost >= 10],
	['stock'],
];

function makeStandRow({ target }) {
	const row = make('tr', {}, make('th', { scope: 'row' }), ...columns.map(() => make('td')));
	row.target = target;
	row.lastChild.append(shape('svg', { role: 'img', preserveAspectRatio: 'none' }, shape('path', {}), shape('path', {})));
	return row;
}

function drawStandRow(row, stand) {
	drawName(row.firstChild, stand);
	for (const [place, [title, tell, isUrgent]] of columns.entries()) {
		const cell = row.children[place + 1];
		setAttribute(cell, 'data-title', capitalized(say(title)));
		if (!tell) {
			drawLevels(cell.firstChild, stand.levels ?? []);
			continue;
		}
		setText(cell, tell(stand));
		cell.classList.toggle('warn', Boolean(isUrgent?.(stand)));
	}
}

/** The name, with a link to the stand's own page, and why it is away. */
function drawName(cell, { stand, page, away }) {
	const known = JSON.stringify([stand, page, away, language]);
	if (cell.known === known) return;
	cell.known = known;
	const isFocused = cell.contains(document.activeElement);
	// The address comes from the stand, so it becomes a link only if it begins with `http:`.
	cell.replaceChildren(/^http:/.test(page) ? make('a', { href: page }, stand) : stand, ...(away ? [make('p.small', {}, detail(away, 'unreachable'))] : []));
	if (isFocused) cell.querySelector('a')?.focus();
}

/** A bar for each fruit. Its height is the root of the level, so that a few pieces can be seen beside hundreds. */
function drawLevels(picture, levels) {
	const most = Math.sqrt(Math.max(1, ...levels.map(({ level }) => level)));
	const bars = (isLow) => levels.map(({ level, low = false }, place) => low === isLow ? `M${place * 6} 20v${-Math.max(1, 20 * Math.sqrt(level) / most).toFixed(1)}h5V20z` : '').join('');
	setAttribute(picture, 'viewBox', `0 0 ${Math.max(1, levels.length * 6)} 20`);
	setAttribute(picture, 'aria-label', levels.map(({ fruit, level }) => `${called({ name: fruit })} ${count(level)}`).join(', ') || '–');
	setAttribute(picture.firstChild, 'd', bars(false));
	setAttribute(picture.lastChild, 'd', bars(true));
}

/** The stands in order. While the pointer or the focus is on one, no row moves, so that nobody hits another. */
function orderedStands() {
	const body = byId('stands');
	if (!body.matches(':hover, :focus-within')) return overview.stands;
	const places = new Map([...body.children].map(({ target }, place) => [target, place]));
	const placeOf = ({ target }) => places.get(target) ?? places.size;
	return overview.stands.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** An alert, with a colour if its event is one that this page knows. */
function makeAlert(alert) {
	const texts = words[language].event;
	const kind = lookUp(texts, alert.event) === undefined ? 'li' : `li.${alert.event}`;
	return make(kind, {}, make('time', {}, alert.clock), make('strong', {}, alert.stand), say(alert.event, { ...alert, fruit: called({ name: alert.fruit ?? '' }) }, texts));
}

/** Draws one of the stands or alerts. An error is added to `failures` and does not keep the others from being drawn. */
function attempt(failures, name, drawOne) {
	try {
		return drawOne();
	} catch (error) {
		failures.push(`${name}: ${error.message}`);
		return make('li', {}, name);
	}
}

function draw() {
	const failures = [];
	const stands = orderedStands();
	const part = byId('filter').value.toLowerCase();
	redrawList(byId('stands'), stands, ({ target }) => target, makeStandRow);
	for (const stand of stands) {
		const row = byId('stands').byKey.get(stand.target);
		// The filter hides rows and keeps them, because making a hundred takes longer than showing them.
		row.hidden = !stand.stand.toLowerCase().includes(part);
		if (!row.hidden) attempt(failures, stand.stand, () => drawStandRow(row, stand));
	}
	byId('none').hidden = byId('stands').querySelector('tr:not([hidden])') !== null;
	const away = overview.stands.filter((stand) => stand.away).length;
	write('state', isReachable ? say(away ? 'standCountAway' : 'standCount', { n: count(overview.stands.length), away: count(away) }) : say('watchAway'));
	byId('state').className = isReachable ? 'live' : '';
	redrawList(byId('alerts'), overview.alerts.slice(0, 30), ({ stand, seq }) => `${language} ${stand} ${seq}`, (alert) => attempt(failures, alert.stand, () => makeAlert(alert)));
	const problems = [overview.problem && detail(overview.problem, 'badList'), ...failures].filter(Boolean);
	byId('problem').hidden = problems.length === 0;
	write('problem', problems.join('; '));
}

function rebuild() {
	translatePage();
	document.title = say('manyStands');
	byId('filter').placeholder = say('standFilter');
	byId('titles').replaceChildren(...['standName', ...columns.map(([title]) => title)].map((title) => make('th', { scope: 'col' }, capitalized(say(title)))));
	draw();
}

byId('filter').oninput = draw;

onkeydown = (event) => {
	const links = [...byId('stands').querySelectorAll('tr:not([hidden]) a')];
	const isInFilter = document.activeElement === byId('filter');
	const place = links.indexOf(document.activeElement);
	if (event.key === '/' && !isInFilter) byId('filter').focus();
	else if (event.key === 'Escape') {
		byId('filter').value = '';
		draw();
	} else if (event.key === 'ArrowDown' && (isInFilter || place >= 0)) links[place + 1]?.focus();
	else if (event.key === 'ArrowUp' && place >= 0) (links[place - 1] ?? byId('filter')).focus();
	else return;
	event.preventDefault();
};

/** Fetches the overview, unless the page is hidden. */
async function look() {
	if (document.hidden) return;
	try {
		const response = await fetch('/api/v1/stands', { cache: 'no-store' });
		overview = await response.json();
		isReachable = true;
	} catch {
		isReachable = false;
	}
	draw();
}

document.onvisibilitychange = look;
rebuild();
for (;;) {
	await look();
	await new Promise((done) => setTimeout(done, 1000));
}
