// What the page says: `words` has the texts of both languages and `koreanNames` the usual fruits, from the program's own lists.

let language = localStorage.getItem('language') ?? navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in words) ?? 'en';

/** The value of a key that the table has itself; undefined for any other. A stand may say any key, such as `constructor`. */
const lookUp = (table, key) => Object.hasOwn(table, key) ? table[key] : undefined;

/** The text of that name in `texts`, with its blanks filled in. Forms for one and for many are parted by `|`. A blank such as `{이/가}` is a
 * particle, whose form depends on the text before it. */
function say(name, values = {}, texts = words[language]) {
	const [one, many = one] = (lookUp(texts, name) ?? name).split('|');
	const phrase = String(lookUp(values, one.match(/\{(\w+)\}/)?.[1])) === '1' ? one : many;
	const filled = phrase.replace(/\{(\w+)\}/g, (_, key) => lookUp(values, key) ?? '');
	const said = filled.replace(/(.)\{([^{}]+)\/([^{}]+)\}/g, (_, last, closed, open) => last + particle(last, closed, open)).trim();
	return phrase.startsWith('{') ? capitalized(said) : said;
}

/** `known`, an English text of the stand; in other languages the text called `name`. */
const detail = (known, name, values) => language === 'en' ? known : say(name, values);

/** The form of a particle after a final consonant, or after a vowel; both after a foreign letter. */
function particle(last, closed, open) {
	// The place of the final consonant among the 27 of Hangul, also in 영, 일, 이, 삼, 사, 오, 육, 칠, 팔, 구.
	const final = /[가-힣]/.test(last) ? (last.charCodeAt() - 0xac00) % 28 : [21, 8, 0, 16, 0, 0, 1, 8, 8, 0][last];
	if (final === undefined) return `${closed}(${open})`;
	return final === 0 || (final === 8 && open === '로') ? open : closed;
}

function capitalized(text) {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The name of a fruit or juice in the current language. */
function called(thing) {
	return lookUp(thing.names ?? {}, language) ?? (language === 'ko' ? lookUp(koreanNames, thing.name.toLowerCase()) : undefined) ?? thing.name;
}

/** Formats of numbers, kept because it takes long to make one. */
const formats = new Map();

/** The number as people of the language write it, with the options of `Intl.NumberFormat`; a dash if there is none. */
function formatted(number, options) {
	if (number == null) return '–';
	const key = language + JSON.stringify(options);
	if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(language, options));
	return formats.get(key).format(number);
}

const count = (number) => formatted(number);

/** The second of the day at which the stand opened. */
const openingSecond = () => stand.opens.slice(11).split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** A stand time as people read and type it: the time of day, and once the stand is in its second day with the number of the day. */
function clock(time) {
	const second = Math.floor(openingSecond() + time);
	const day = Math.floor(second / 86400) + 1;
	return (Math.max(second, openingSecond() + timeOfNow()) < 86400 ? '' : day + ' ') + new Date(second % 86400 * 1000).toISOString().slice(11, 19);
}

/** A category or method in the current language, if it is one of the standard menu. */
const translated = (text) => lookUp(words[language].recipe, text) ?? text;

/** A price in the currency of the stand. */
function money(sum) {
	try {
		return formatted(sum, { style: 'currency', currency: stand.currency, maximumFractionDigits: sum < 1000 ? undefined : 0 });
	} catch {
		// A currency may be any text, and only codes of three letters have a style.
		return `${count(sum)} ${stand.currency}`;
	}
}

/** A span of seconds in a few letters. */
function spell(time) {
	if (time == null) return '–';
	const [value, unit] = time < 100 ? [time, 'second'] : time < 6000 ? [time / 60, 'minute'] : [time / 3600, 'hour'];
	return formatted(value, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0 });
}
