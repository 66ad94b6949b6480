// The bus: which observer receives which fact. The stand measures only while this section is open.

let wiring = null;
let isMeasuring = false;

/** Measures for two seconds; called once a second. */
async function fetchWiring() {
	if (!byId('bus').open || isMeasuring) return;
	isMeasuring = true;
	wiring = await get('wiring?for=2s').catch(() => null) ?? wiring;
	isMeasuring = false;
	drawWiring();
}

function drawWiring() {
	if (!wiring) return;
	const { facts, slowest, unheard, pricePerCall, mechanism } = wiring;
	const texts = words[language];
	const micro = (time) => rounded(time * 1e6) + ' µs';
	const names = [...new Set(facts.flatMap(({ observers }) => observers.map(({ observer }) => observer)))];
	/** A dot for a wire, larger the more often it is used, and how long a call takes. */
	const wire = ({ fact, perSecond }, found) => {
		if (!found) return make('td');
		const dot = make('i.dot');
		dot.style.scale = .5 + Math.min(1, Math.log10(1 + perSecond) / 2);
		const isSlowest = slowest?.fact === fact && slowest.observer === found.observer;
		return make(isSlowest ? 'td.lost' : 'td', { title: found.observer }, dot, found.mean ? micro(found.mean) : '');
	};
	const rows = facts.map((fact) => makeRow(fact.fact + ' ', [
		make('td', { title: say('eachSecond') }, fact.perSecond ? rounded(fact.perSecond) : ''), make('td', { title: say('together') }, fact.delivery ? micro(fact.delivery) : ''),
		...names.map((name) => wire(fact, fact.observers.find(({ observer }) => observer === name))),
	], texts.poster[fact.postedBy]));
	const said = [
		slowest && say('slowest', { ...slowest, time: micro(slowest.seconds) }), say('unheard', { n: count(unheard.count) }) + unheard.facts.map((name) => ' ' + name).join(),
		pricePerCall == null ? say('untimed') : say('price', { time: micro(pricePerCall) }),
	];
	const scroll = byId('wiring').querySelector('.scroll')?.scrollLeft ?? 0;
	byId('wiring').replaceChildren(make('p', {}, said.filter(Boolean).join(' ')), makeTable(say('fact'), [say('eachSecond'), say('together'), ...names], rows), small(detail(mechanism, 'wiredBy', wiring)));
	byId('wiring').querySelector('.scroll').scrollLeft = scroll;
}

byId('bus').ontoggle = fetchWiring;
