// ../../pb2.ts
import { readFileSync } from "node:fs";

// src/mail/address.ts
import { addressParser } from "postal-mime";

// src/mail/safe-text.ts
var UNSAFE = /[\0\ud800-\udfff]/;
var UNSAFE_EACH = /\p{Surrogate}|\0/gu;
var SURROGATE = /[\ud800-\udfff]/;
var CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
function wellFormed(text) {
  return UNSAFE.test(text) ? text.replace(UNSAFE_EACH, "\uFFFD") : text;
}
function singleLine(text) {
  return wellFormed(text.replace(CONTROLS, " ")).trim();
}
function previewOf(text, length = 200) {
  const near = folded(text.slice(0, length * 3));
  const start = near.length < length * 2 && text.length > length * 3 ? folded(text.slice(0, length * 10)) : near;
  const most = start.slice(0, length * 2);
  const first = SURROGATE.test(most) ? [...most].slice(0, length).join("") : most.slice(0, length);
  return wellFormed(first).trim();
}
var folded = (text) => singleLine(text).replace(/\s+/g, " ");
function truncated(text, length) {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 55296 && last <= 56319 ? length - 1 : length);
}

// src/mail/address.ts
var MAX_ADDRESSES = 1e3;
var MAX_LIST_LENGTH = 128 * 1024;
function parseAddressList(value) {
  const found = [];
  for (const { address, name } of mailboxesIn(bounded(value))) {
    if (found.length === MAX_ADDRESSES) break;
    if (address?.includes("@"))
      found.push({ address: normalizeAddress(address), name: singleLine(name) || null });
  }
  return found;
}
function normalizeAddress(address) {
  const clean = singleLine(address);
  const at = clean.lastIndexOf("@");
  return at < 0 ? clean : clean.slice(0, at + 1) + clean.slice(at + 1).toLowerCase();
}
function splitAddress(address) {
  const clean = normalizeAddress(address);
  const at = clean.lastIndexOf("@");
  if (at < 1 || at === clean.length - 1) return null;
  return { local: clean.slice(0, at), domain: clean.slice(at + 1) };
}
function mailboxesIn(value) {
  try {
    return addressParser(value, { flatten: true });
  } catch {
    return [];
  }
}
function bounded(value) {
  if (value.length <= MAX_LIST_LENGTH) return value;
  const start = value.slice(0, MAX_LIST_LENGTH);
  return start.slice(0, Math.max(start.lastIndexOf(","), 0));
}

// src/mail/base64.ts
var ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
var PADDING = 61;
var NONE = 255;
var digits = new Uint8Array(256).fill(NONE);
for (let at = 0; at < ALPHABET.length; at++) digits[ALPHABET.charCodeAt(at)] = at;
function decodeBase64(encoded2) {
  const decoded2 = new Uint8Array(Math.ceil(encoded2.length * 0.75));
  let length = 0;
  let bits = 0;
  let value = 0;
  for (let at = 0; at < encoded2.length; at++) {
    const byte = encoded2[at];
    const digit = digits[byte];
    if (byte === PADDING) bits = 0;
    if (digit === NONE) continue;
    value = (value << 6 | digit) & 4095;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded2[length++] = value >> bits & 255;
  }
  return decoded2.subarray(0, length);
}

// src/mail/charset.ts
var UTF7 = /^(?:x-)?(?:unicode-[12]-[01]-)?utf-?7$/;
var ASCII = /^(?:us-|x-)?ascii$|^ansi_x3\.[\d.-]+(?:-\d{4})?$|^iso646-us$|^default$|^unknown(?:-8bit)?$/;
var CODE_PAGES = {
  "932": "shift_jis",
  "936": "gbk",
  "949": "euc-kr",
  "950": "big5",
  "874": "windows-874",
  "51932": "euc-jp",
  "50220": "iso-2022-jp",
  "50221": "iso-2022-jp",
  "50222": "iso-2022-jp",
  "28591": "iso-8859-1",
  "65001": "utf-8"
};
var OTHER_NAMES = {
  "iso-2022-jp-1": "iso-2022-jp",
  "iso-2022-jp-2": "iso-2022-jp",
  "iso-2022-jp-3": "iso-2022-jp",
  "iso-2022-jp-2004": "iso-2022-jp",
  "shift-jis": "shift_jis",
  mskanji: "shift_jis",
  uhc: "euc-kr",
  cseuckr: "euc-kr",
  "tis-620": "windows-874",
  "iso-8859-8-e": "iso-8859-8",
  hz: "gbk",
  "hz-gb-2312": "gbk",
  "gb-2312": "gbk",
  big5hkscs: "big5-hkscs",
  mac: "macintosh",
  "x-mac-roman": "macintosh",
  "mac-roman": "macintosh",
  utf16le: "utf-16le"
};
var HTML_CHARSET = /<meta\s[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i;
var decoders = /* @__PURE__ */ new Map();
var MAX_DECODERS = 200;
var latin1 = new TextDecoder("latin1");
var utf8 = new TextDecoder("utf-8", { fatal: true });
var windows1252 = new TextDecoder("windows-1252");
function decodeText(bytes, charset) {
  const name = charset?.trim().toLowerCase() ?? "";
  if (UTF7.test(name)) return decodeUtf7(latin1.decode(bytes));
  const decoder2 = name === "" || ASCII.test(name) ? null : decoderOf(name);
  return decoder2 ? decoder2.decode(bytes) : guessed(bytes);
}
function charsetOfHtml(bytes) {
  return HTML_CHARSET.exec(latin1.decode(bytes.subarray(0, 2048)))?.[1] ?? null;
}
function decoderOf(name) {
  const known = decoders.get(name);
  if (known !== void 0) return known;
  const decoder2 = newDecoder(name);
  if (decoders.size < MAX_DECODERS) decoders.set(name, decoder2);
  return decoder2;
}
function newDecoder(name) {
  const plain = name.replace(/^(?:x-ms-|x-|cs)/, "");
  const page = /^(?:cp|windows|ms|ibm)-?(\d{3,5})$/.exec(plain)?.[1] ?? "";
  const dashed = plain.replace(/[\s_]+/g, "-");
  for (const label of [
    name,
    plain,
    dashed,
    OTHER_NAMES[dashed],
    CODE_PAGES[page],
    `windows-${page}`,
    `iso-${dashed}`
  ])
    try {
      if (label) return new TextDecoder(label);
    } catch {
    }
  return null;
}
function guessed(bytes) {
  try {
    return utf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}
function decodeUtf7(text) {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, encoded2) => encoded2 ? utf16Of(encoded2) : "+");
}
function utf16Of(encoded2) {
  const octets = atob(encoded2.length % 4 === 1 ? encoded2.slice(0, -1) : encoded2);
  let units = "";
  for (let at = 0; at + 1 < octets.length; at += 2)
    units += String.fromCharCode(octets.charCodeAt(at) * 256 + octets.charCodeAt(at + 1));
  return units;
}

// src/mail/flowed.ts
function unflow(text, deleteSpace) {
  const result = [];
  const paragraph = [];
  let depth = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const lineDepth = quoteDepth(line);
    const content = line.slice(line[lineDepth] === " " ? lineDepth + 1 : lineDepth);
    if (paragraph.length > 0 && lineDepth !== depth) result.push(quoted(paragraph.splice(0), depth));
    depth = lineDepth;
    const isSoft = content.endsWith(" ") && content !== "-- ";
    paragraph.push(isSoft && deleteSpace ? content.slice(0, -1) : content);
    if (!isSoft) result.push(quoted(paragraph.splice(0), depth));
  }
  if (paragraph.length > 0) result.push(quoted(paragraph, depth));
  return result.join("\n");
}
function quoteDepth(line) {
  let depth = 0;
  while (line[depth] === ">") depth++;
  return depth;
}
function quoted(paragraph, depth) {
  const text = paragraph.join("");
  return depth > 0 ? `${">".repeat(depth)} ${text}`.trimEnd() : text;
}

// src/mail/quoted-printable.ts
var [TAB, LF, CR, SPACE, EQUALS] = [9, 10, 13, 32, 61];
function decodeQuotedPrintable(encoded2) {
  const decoded2 = new Uint8Array(encoded2.length);
  let length = 0;
  for (let at = 0; at < encoded2.length; ) {
    const lineFeed = encoded2.indexOf(LF, at);
    const next = lineFeed === -1 ? encoded2.length : lineFeed + 1;
    length = decodeLine(encoded2.subarray(at, next), decoded2, length);
    at = next;
  }
  return decoded2.subarray(0, length);
}
function decodeLine(line, to, start) {
  const lineBreak = lineBreakOf(line);
  const text = withoutBlanks(line.subarray(0, line.length - lineBreak.length));
  const isSoft = text[text.length - 1] === EQUALS;
  const end = decodeEscapes(isSoft ? text.subarray(0, -1) : text, to, start);
  if (isSoft) return end;
  to.set(lineBreak, end);
  return end + lineBreak.length;
}
function lineBreakOf(line) {
  if (line[line.length - 1] !== LF) return line.subarray(line.length);
  return line.subarray(line[line.length - 2] === CR ? -2 : -1);
}
function withoutBlanks(text) {
  let end = text.length;
  while (text[end - 1] === SPACE || text[end - 1] === TAB) end--;
  return text.subarray(0, end);
}
function decodeEscapes(text, to, start) {
  let end = start;
  for (let at = 0; at < text.length; at++) {
    const octet = text[at] === EQUALS ? octetAt(text, at + 1) : -1;
    to[end++] = octet === -1 ? text[at] : octet;
    if (octet !== -1) at += 2;
  }
  return end;
}
function octetAt(text, at) {
  const [high, low] = [digitOf(text[at]), digitOf(text[at + 1])];
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}
function digitOf(code = 0) {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

// src/mail/uuencode.ts
var LF2 = 10;
var CR2 = 13;
var SPACE2 = 32;
var BEGIN = /^begin(?:-base64)? [0-7]{3,4} /;
var latin12 = new TextDecoder("latin1");
function decodeUuencode(encoded2) {
  const decoded2 = new Uint8Array(encoded2.length);
  let length = 0;
  let hasBegun = false;
  for (let at = 0; at < encoded2.length; ) {
    const lineFeed = encoded2.indexOf(LF2, at);
    const next = lineFeed === -1 ? encoded2.length : lineFeed + 1;
    const line = encoded2.subarray(at, next);
    at = next;
    if (!hasBegun) hasBegun = BEGIN.test(latin12.decode(line.subarray(0, 20)));
    else if (isEnd(line)) break;
    else length = decodeLine2(line, decoded2, length);
  }
  return hasBegun ? decoded2.subarray(0, length) : encoded2;
}
var isEnd = (line) => /^end[\r\n]*$/.test(latin12.decode(line.subarray(0, 6)));
var sextet = (code) => code === void 0 || code === LF2 || code === CR2 ? 0 : code - SPACE2 & 63;
function decodeLine2(line, to, start) {
  const count = Math.min(sextet(line[0]), line.length);
  for (let index = 0; index < count; index++) {
    const at = 1 + Math.floor(index / 3) * 4 + index % 3;
    const shift = 2 * (index % 3) + 2;
    to[start + index] = (sextet(line[at]) << shift | sextet(line[at + 1]) >> 6 - shift) & 255;
  }
  return start + count;
}

// src/mail/part-content.ts
function contentOf({ body, encoding }, maxBytes) {
  if (!body) return new Uint8Array(0);
  const written = maxBytes === void 0 ? body : body.subarray(0, maxBytes);
  if (encoding === "base64") return decodeBase64(written);
  if (encoding === "quoted-printable") return decodeQuotedPrintable(written);
  return encoding === "uuencode" ? decodeUuencode(written) : written;
}
function textOf(part, maxBytes) {
  const content = contentOf(part, maxBytes);
  const isHtml3 = part.type === "text/html";
  const charset = part.charset ?? (isHtml3 ? charsetOfHtml(content) : null);
  const text = decodeText(content, charset).replaceAll("\r\n", "\n");
  return part.isFlowed && !isHtml3 ? unflow(text, part.deletesSpace) : text;
}

// src/mail/attachment.ts
function describeAttachments(attachments) {
  return attachments.map(({ part, isRelated }, index) => ({
    index,
    filename: filenameOf(part.name),
    contentType: contentTypeOf(part.type),
    size: contentOf(part).length,
    inline: part.disposition === "inline" || isRelated && part.contentId !== null && part.disposition === "",
    contentId: contentIdOf(part.contentId)
  }));
}
function filenameOf(name) {
  const clean = singleLine(name ?? "");
  const segment = clean.split(/[/\\]/).at(-1)?.trim() ?? "";
  return /^\.*$/.test(segment) ? null : truncated(segment, 255);
}
function contentTypeOf(type) {
  const clean = type.trim().toLowerCase();
  return /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}$/.test(clean) ? clean : "application/octet-stream";
}
function contentIdOf(contentId) {
  return singleLine(contentId ?? "").replace(/^<|>$/g, "") || null;
}

// src/mail/auto-reply-phrases.ts
var anyOf = (patterns, before = "", after2 = "") => new RegExp(`${before}(?:${patterns.join("|")})${after2}`, "iu");
var TAG = "^(?:\\[[^\\]]{1,40}\\] ?)?";
var SURE_PART = "(?:\\s?[:\uFF1A]|[\\])\u3011]|\\s?[-\u2013\u2014]\\s?re:)";
var PART = `(?:${SURE_PART}|\\s[-\u2013\u2014]\\s|['\u2019"\u201D\xBB]?$)`;
var AUTOMATIC = [
  "(?:yahoo!? |gmail )?auto(?:matic(?:ally)?|mated)?[ -]?(?:re(?:ply|sponse|sponder|spond)?|generated (?:reply|message)|answer)|(?:out[ -]of[ -](?:the )?office|vacation|away) ?auto[ -]?(?:reply|response)",
  "auto(?:matische?)?[ -]?(?:antwort|abwesenheits(?:meldung|notiz)|empfangsbest\xE4tigung|eingangsbest\xE4tigung)|abwesenheits(?:notiz|meldung|benachrichtigung|agent|assistent)",
  "r\xE9ponse automatique(?: d['\u2019]absence(?: du bureau)?)?|reponse automatique|message (?:automatique )?d['\u2019]absence|r\xE9ponse d['\u2019]absence|accus\xE9 de r\xE9ception automatique",
  "(?:auto[ -]?respuesta|respuesta autom[\xE1a]tica|contestaci\xF3n autom\xE1tica|respuesta (?:de )?fuera de (?:la )?oficina)|auto[ -]?resposta|resposta autom[\xE0\xE1a]tica|risposta automatica|risposta (?:di )?fuori sede|avviso di assenza|erantzun automatikoa",
  "automatisch(?:e)? (?:antwoord|beantwoord)|afwezigheids(?:bericht|assistent)|auto(?:matiskt? )?svar|automaattinen vastaus|poissaoloviesti|fr\xE5nvaro(?:meddelande|assistent)|frav\xE6rs(?:assistent|melding)|sj\xE1lfvirkt svar",
  "automatyczna odpowied[\u017Az]|odpowied\u017A automatyczna|automatick[\xE1a] odpov[\u011Be][\u010Fd]|automatick\xE1 odpove\u010F|automatikus v\xE1lasz|r\u0103spuns automat|automatski odgovor|samodejni odgovor|automaatvastus|autom\u0101tisk[\u0101a] atbilde|automatinis atsakymas",
  "\u0430\u0432\u0442\u043E\u043C\u0430\u0442\u0438\u0447\u0435\u0441\u043A\u0438\u0439 \u043E\u0442\u0432\u0435\u0442|\u0430\u0432\u0442\u043E\u043E\u0442\u0432\u0435\u0442(?:\u0447\u0438\u043A)?|\u0430\u0432\u0442\u043E\u043C\u0430\u0442\u0438\u0447\u043D\u0430 \u0432\u0456\u0434\u043F\u043E\u0432\u0456\u0434\u044C|\u0430\u0432\u0442\u043E\u043C\u0430\u0442\u0438\u0447\u0435\u043D \u043E\u0442\u0433\u043E\u0432\u043E\u0440|\u0430\u0443\u0442\u043E\u043C\u0430\u0442\u0441\u043A\u0438 \u043E\u0434\u0433\u043E\u0432\u043E\u0440|\u0430\u0432\u0442\u043E\u043C\u0430\u0442\u0442\u044B \u0436\u0430\u0443\u0430\u043F|\u03B1\u03C5\u03C4\u03CC\u03BC\u03B1\u03C4\u03B7 \u03B1\u03C0\u03AC\u03BD\u03C4\u03B7\u03C3\u03B7|otomatik (?:yan\u0131t|cevap)",
  "\u05EA\u05E9\u05D5\u05D1\u05D4 \u05D0\u05D5\u05D8\u05D5\u05DE\u05D8\u05D9\u05EA|\u05DE\u05E2\u05E0\u05D4 \u05D0\u05D5\u05D8\u05D5\u05DE\u05D8\u05D9|\u0631\u062F \u062A\u0644\u0642\u0627\u0626\u064A|\u067E\u0627\u0633\u062E \u062E\u0648\u062F\u06A9\u0627\u0631|\u0938\u094D\u0935\u091A\u093E\u0932\u093F\u0924 (?:\u091C\u0935\u093E\u092C|\u0909\u0924\u094D\u0924\u0930|\u092A\u094D\u0930\u0924\u094D\u092F\u0941\u0924\u094D\u0924\u0930)|(?:\u0E01\u0E32\u0E23)?\u0E15\u0E2D\u0E1A\u0E01\u0E25\u0E31\u0E1A\u0E2D\u0E31\u0E15\u0E42\u0E19\u0E21\u0E31\u0E15\u0E34|tr\u1EA3 l\u1EDDi t\u1EF1 \u0111\u1ED9ng|balasan (?:otomatis|automatik)|jawapan automatik",
  "\u81EA\u52D5(?:\u5FDC\u7B54|\u8FD4\u4FE1|\u56DE\u8986|\u56DE\u590D|\u9001\u4FE1)|\u81EA\u52A8(?:\u7B54\u590D|\u56DE\u590D)|\u4E0D\u5728(?:\u901A\u77E5|\u306E\u304A\u77E5\u3089\u305B)|\uC790\uB3D9 ?(?:\uD68C\uC2E0|\uC751\uB2F5|\uB2F5\uC7A5)|\uBD80\uC7AC\uC911(?: ?\uC790\uB3D9 ?(?:\uC751\uB2F5|\uD68C\uC2E0))?"
];
var AUTO_REPLY_SUBJECT = anyOf(
  [
    `${TAG}[([\u3010]?(?:${AUTOMATIC.join("|")})${SURE_PART}(?=.)`,
    "^auto: .{2,100}(?:out of (?:the )?office|\\(returning )"
  ],
  ""
);
var AWAY = [
  "auto(?=\\s?[:\uFF1A])|out[ -]of[ -](?:the )?office|ooo|oof|out of town|away|on (?:vacation|holiday|leave)|vacation (?:message|notice|reply|response)|vacation|holiday|annual leave",
  "nicht im (?:b\xFCro|haus)|im urlaub|urlaub|abwesend|abwesenheit|en vacances|en cong\xE9s?|absen(?:t|ce)(?: du bureau)?|fuera de (?:la )?oficina|ausen(?:te|cia)|de vacaciones|fuori (?:ufficio|sede)|assen(?:te|za)|in ferie",
  "fora do escrit\xF3rio|f\xE9rias|afwezig|met vakantie|niet aanwezig|semester|fr\xE5nvaro|ikke p\xE5 kontoret|p\xE5 ferie|frav\xE6r(?:ende)?|poissa|lomalla|poza biurem|biuro - nieobecno\u015B\u0107|nieobecno\\p{L}*|mimo kancel\xE1\u0159|dovolen\\p{L}*",
  "\u0432\u043D\u0435 \u043E\u0444\u0438\u0441\u0430|\u0432 \u043E\u0442\u043F\u0443\u0441\u043A\u0435|\u043E\u0442\u0441\u0443\u0442\u0441\u0442\u0432\\p{L}*|(?:yan\u0131t: )?ofis d\u0131\u015F\u0131nda|\u4F11\u5047|\u5916\u51FA|\u4E0D\u5728|\uCD9C\uC7A5|\uD734\uAC00"
];
var AWAY_BEFORE_SUBJECT = anyOf([...AUTOMATIC, ...AWAY], `${TAG}[([\u3010]?`, PART);
var AWAY_BEFORE_REPLY = anyOf(AWAY, TAG, "\\s?[:\uFF1A-]\\s?(?:re|aw|sv|rv|tr|fwd?|\u56DE\u590D|\u7B54\u590D)\\s?[:\uFF1A]");
var MAYBE_AUTO_REPLY_SUBJECT = anyOf(
  [
    ...AUTOMATIC,
    ...AWAY.map((words) => `(?:${words})(?!\\p{L})`),
    "away (?:from|until|on|till)|i(?: am|['\u2019]m) (?:away|out|on)|currently (?:away|out)|not in the office|maternity leave|parental leave|(?:.{2,60} )?(?:is )?no longer with|.{2,60} has left",
    ".{2,60} is (?:currently )?(?:out of (?:the )?office|on (?:vacation|leave))|.{0,200}\\((?:out of office|auto[ -]?reply|automatic reply)\\)$",
    "(?:we|i)(?:['\u2019]ve| have)? received your|thank(?:s| you) for (?:your (?:e-?mail|message|enquiry|inquiry)|contacting)|your (?:request|ticket|case|message|enquiry|inquiry) (?:has been|was) (?:received|created)|(?:ticket|request) (?:received|created)|acknowledg"
  ],
  `${TAG}(?:re ?: ?)?[([\u3010]?`
);
var AWAY_BY_NAME = /^.{2,60} is (?:currently )?out of (?:the )?office\b/iu;
var AWAY_OF_MYSELF = /^\s{0,20}i(?: am| will be|['’]ll be|['’]m) (?:currently )?(?:away|out of (?:the )?office)/iu;
var AUTO_REPLY_TEXT = anyOf([
  "i(?: am|['\u2019]m|['\u2019]ll be| will be| am currently|['\u2019]m currently) (?:currently |presently |now )?(?:away|out|on|off|traveling|travelling|not in|unavailable|in a)",
  "out of (?:the )?office|limited (?:access|email)|upon my return|when i (?:return|get back|am back)|as soon as i (?:return|get back)|will (?:respond|reply|get back)|annual leave|maternity leave",
  "(?:automatic(?:ally generated)?|automated|auto-?generated) (?:e-?mail |mail )?(?:reply|response|message|answer|acknowledg)|auto-?reply|autoresponder|do not reply to this|no longer (?:with|work|employed|monitored)",
  "bin ich (?:nicht|erst|ab|bis|wieder)|ich bin (?:ab|bis|zur zeit|derzeit|momentan|vom|nicht|im)|nicht im (?:b\xFCro|haus)|e-?mails? werden nicht|automatisch(?:e|es)? (?:antwort|generiert)",
  "je suis (?:actuellement |en |absent)|de retour le|absent(?:e)? (?:du|jusqu)|estoy|estar\xE9|fuera de la oficina|sono (?:assente|fuori|in ferie)|sar\xF2 (?:assente|fuori)|estou (?:de|fora|ausente)|estarei",
  "ik ben (?:afwezig|niet|tot|van|momenteel)|jag \xE4r|jeg er|olen (?:lomalla|poissa)|jestem (?:nieobecn|na urlopie|poza)|nie ma mnie|budu|nebudu|jsem mimo|\u043D\u0430\u0445\u043E\u0436\u0443\u0441\u044C \u0432 \u043E\u0442\u043F\u0443\u0441\u043A\u0435|\u0432 \u043E\u0442\u043F\u0443\u0441\u043A\u0435|\u043E\u0442\u0441\u0443\u0442\u0441\u0442\u0432|ofiste de\u011Fil|izindeyim",
  "\u4E0D\u5728|\u4F11\u6687|\u5916\u51FA|\u81EA\u52D5|\u4F11\u5047|\u81EA\u52A8|\uBD80\uC7AC|\uD734\uAC00|\uC790\uB3D9",
  "has been (?:received|opened|created|assigned)|we (?:have )?received your"
]);
var DOMAIN_REPORT_SUBJECT = /^(?:\[[^\]]{1,40}\] ?)?report[- ]domain\s?:\s?\S{1,255}\s{1,9}submitter\s?:\s?\S{1,255}\s{1,9}report-id\s?:/iu;

// src/mail/header-reader.ts
import { decodeWords } from "postal-mime";
var LF3 = 10;
var CR3 = 13;
var MAX_HEADERS = 1e3;
var utf82 = new TextDecoder("utf-8", { ignoreBOM: true });
function startOfMail(raw2) {
  let start = 0;
  while (raw2[start] === LF3 || raw2[start] === CR3) start++;
  return start;
}
var firstLine = /^(?:From |[!-9;-~]{1,200}[\t ]*:)/;
var isHeaderless = (raw2, start) => start > 0 && start < raw2.length && !firstLine.test(utf82.decode(raw2.subarray(start, start + 256)));
function readHeaders(raw2, maxBytes) {
  const start = startOfMail(raw2);
  if (isHeaderless(raw2, start)) return { fields: [], isComplete: true, bodyStart: start };
  const { end, bodyStart } = endOfHeader(raw2, start);
  const fields = splitFields(decodeBlock(raw2.subarray(start, Math.min(end, start + maxBytes))));
  return { fields, isComplete: end - start <= maxBytes, bodyStart };
}
function decodeHeader(value) {
  return wellFormed(value.includes("=?") ? decodeWords(value) : value);
}
var BARE_WORD = /=\?[\w.:*-]{1,60}\?q\?(?=[^?=]{0,500}[^\0-\x7f])([^?=]{1,500})\?=/gi;
var reencoded = (_, text) => `=?utf-8?Q?${text.replace(/[^\0-\x7f]/gu, (letter) => encodeURIComponent(letter).replaceAll("%", "="))}?=`;
function headerValue(fields, name) {
  return fields.find((field) => field.name.length === name.length && field.name.toLowerCase() === name)?.value;
}
function headerValues(fields, name) {
  return fields.filter((field) => field.name.toLowerCase() === name).map((field) => field.value);
}
function endOfHeader(raw2, start) {
  for (let at = raw2.indexOf(LF3, start); at !== -1; at = raw2.indexOf(LF3, at + 1)) {
    let next = at + 1;
    while (raw2[next] === CR3) next++;
    if (raw2[next] === LF3) return { end: at, bodyStart: next + 1 };
  }
  return { end: raw2.length, bodyStart: raw2.length };
}
function decodeBlock(bytes) {
  const text = utf82.decode(bytes);
  if (!text.includes("\uFFFD") && !text.includes("\x1B")) return text;
  const declared = /charset\s{0,9}=\s{0,9}"?([\w.:-]{1,40})/i.exec(text)?.[1];
  return decodeAs(bytes, declared) ?? decodeAs(bytes, "windows-1252") ?? text;
}
function decodeAs(bytes, charset) {
  try {
    return charset ? new TextDecoder(charset, { fatal: true }).decode(bytes) : null;
  } catch {
    return null;
  }
}
function splitFields(block) {
  const fields = [];
  let folded2 = [];
  const finish = () => {
    const field = toField(folded2.join(""));
    if (field) fields.push(field);
  };
  for (const line of block.split("\n")) {
    const isContinuation = line.startsWith(" ") || line.startsWith("	");
    if (!isContinuation) {
      if (fields.length === MAX_HEADERS) return fields;
      finish();
      folded2 = [];
    }
    folded2.push(line.endsWith("\r") ? line.slice(0, -1) : line);
  }
  finish();
  return fields.slice(0, MAX_HEADERS);
}
function toField(line) {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(colon, 0)).trim();
  if (!name || name.length > 200 || /[^!-~]/.test(name)) return null;
  const value = line.slice(colon + 1).replace(/\r+/g, " ").trim();
  return { name, value: value.includes("=?") ? value.replace(BARE_WORD, reencoded) : value };
}

// src/mail/subject.ts
var REPLY = "re|aw|antw|antwort|sv|vs|res|r|rif|odp|ynt|v\xE1|\u56DE\u590D|\u56DE\u8986|\u7B54\u590D|\u7B54\u8986|\u8FD4\u4FE1|\u56DE\u4FE1|\u043E\u0442\u0432|\u043E\u0442\u0432\u0435\u0442";
var FORWARD = "fwd?|wg|tr|rv|enc|vl|doorst|vb|pd|\u8F6C\u53D1|\u8F49\u5BC4|\u8EE2\u9001|\u043F\u0435\u0440\u0435\u0441\u043B";
var prefix = (words) => new RegExp(`^(?:${words})\\s?(?:[[(]\\d{1,3}[\\])]|\\^\\d{1,3})?\\s?[:\uFF1A]\\s*`, "iu");
var REPLY_PREFIX = prefix(REPLY);
var ANY_PREFIX = prefix(`${REPLY}|${FORWARD}`);
var FORWARD_PREFIX = prefix(FORWARD);
function isReply(subject) {
  return REPLY_PREFIX.test(singleLine(subject));
}
function isForward(subject) {
  return FORWARD_PREFIX.test(singleLine(subject));
}

// src/mail/auto-submitted.ts
var REPLY_FIELDS = /^(?:x-[\w-]{0,30}auto-?(?:reply|replied|respon(?:d|der|se))(?:-(?!suppress)[\w-]{1,30})?|(?:x-(?:[\w-]{1,30}-)?)?(?:vacation|ooo|oof)|x-fc-machinegenerated)$/;
var NOT_SAID = /^(?:no|none|0|false)?$/;
var NOTICE_FIELDS = /^(?:x-auto-?generated|x-automated|x-cron-env|x-github-reason|x-jira-fingerprint|x-pagerduty-\w+|x-servicenow-generated|x-amazon-mail-relay-type|tls-report-domain)$/;
var LIST_FIELDS = /^(?:list-id|list-post|list-subscribe|mailing-list|x-mailing-list|x-mailman-version|x-beenthere)$/;
var NOBODY = /^(?:no|do[._-]?not|dont)[._-]?reply(?:$|[@+._\d-])/i;
var START = 1500;
var person = { autoSubmitted: "no", autoReason: null };
var replied = (autoReason) => ({ autoSubmitted: "auto-replied", autoReason });
var generated = (autoReason) => ({ autoSubmitted: "auto-generated", autoReason });
function detectOrigin(headers, facts) {
  if (facts.bounce) return replied("bounce");
  if (facts.complaint) return generated("complaint");
  const fields = /* @__PURE__ */ new Map();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    if (!fields.has(key)) fields.set(key, value.toLowerCase());
  }
  return reportOrigin(fields) ?? (isAutoReply(fields, headers, facts.text) ? replied("auto-reply") : null) ?? bulkOrigin(fields) ?? noticeOrigin(fields) ?? person;
}
var some = (fields, pattern) => [...fields.keys()].some((name) => pattern.test(name));
function reportOrigin(fields) {
  const type = fields.get("content-type") ?? "";
  if (!type.startsWith("multipart/report")) return null;
  if (/report-type\s{0,5}=\s{0,5}"?tlsrpt/.test(type)) return generated("notification");
  const isReceipt = /report-type\s{0,5}=\s{0,5}"?(?:disposition|delivery)/.test(type);
  return replied(isReceipt ? "receipt" : "notification");
}
function isAutoReply(fields, headers, text) {
  if (fields.get("auto-submitted")?.startsWith("auto-replied")) return true;
  if (/^auto[_-]?reply/.test(fields.get("precedence") ?? fields.get("preference") ?? "")) return true;
  if ([...fields].some(([name, value]) => REPLY_FIELDS.test(name) && !NOT_SAID.test(value))) return true;
  if (/vacation|autorespon/.test(`${fields.get("x-loop")} ${fields.get("x-post-messageclass")}`)) return true;
  if (fields.get("x-apple-action") === "vacation" || fields.get("delivered-to") === "autoresponder")
    return true;
  if (fields.get("x-autogenerated") === "reply") return true;
  if (/^mailbox rules agent/.test(fields.get("x-ms-exchange-generated-message-source") ?? "")) return true;
  const subject = singleLine(decodeHeader(headerValue(headers, "subject") ?? ""));
  if (AUTO_REPLY_SUBJECT.test(subject) || AWAY_BEFORE_REPLY.test(subject)) return true;
  if (isNullSender(fields) && !some(fields, LIST_FIELDS) && answersSomething(fields, subject)) return true;
  return looksLikeAutoReply(fields, subject, text);
}
function looksLikeAutoReply(fields, subject, text) {
  if (!MAYBE_AUTO_REPLY_SUBJECT.test(subject)) return false;
  const isUnanswerable = isNullSender(fields) || fields.has("x-auto-response-suppress") || isNobody(fields);
  const isDeclared = fields.get("auto-submitted")?.startsWith("auto-") || isNoticePrecedence(fields);
  if (isUnanswerable || isDeclared) return true;
  if (AWAY_BY_NAME.test(subject) && AWAY_OF_MYSELF.test(text.slice(0, START))) return true;
  if (!isAnswer(fields) || /^re\s?:/i.test(subject)) return false;
  return AWAY_BEFORE_SUBJECT.test(subject) || AUTO_REPLY_TEXT.test(text.slice(0, START));
}
var isAnswer = (fields) => fields.has("in-reply-to") || fields.has("references");
var answersSomething = (fields, subject) => isAnswer(fields) || isReply(subject) || fields.has("x-ms-exchange-inbox-rules-loop");
function bulkOrigin(fields) {
  const precedence = fields.get("precedence") ?? "";
  if (some(fields, LIST_FIELDS) || precedence.startsWith("list")) return generated("list");
  if (isNoticePrecedence(fields) || fields.has("list-unsubscribe")) return generated("bulk");
  return null;
}
function noticeOrigin(fields) {
  if (isNullSender(fields)) return replied("notification");
  const suppress = fields.get("x-auto-response-suppress") ?? "none";
  const isDeclared = fields.get("auto-submitted")?.startsWith("auto-") || suppress !== "none";
  if (isDeclared || some(fields, NOTICE_FIELDS) || isNobody(fields)) return generated("notification");
  return DOMAIN_REPORT_SUBJECT.test(fields.get("subject") ?? "") ? generated("notification") : null;
}
var isNoticePrecedence = (fields) => /^(?:bulk|junk)\b/.test(fields.get("precedence") ?? "");
var isNullSender = (fields) => /^<\s*>/.test(fields.get("return-path") ?? "");
var isNobody = (fields) => NOBODY.test(parseAddressList(fields.get("from") ?? "")[0]?.address ?? "");

// src/mail/body-parts.ts
function bodyPartsOf(root) {
  const body = { text: [], html: [], attachments: [] };
  collect([root], "multipart/mixed", { inAlternative: false, isRelated: false, text: true, html: true }, body);
  return body;
}
function collect(parts, type, place, body) {
  const [texts, htmls] = [body.text.length, body.html.length];
  for (const [index, part] of parts.entries()) {
    if (part.parts.length > 0) collect(part.parts, part.type, within(part.type, place), body);
    else if (!isBody(part, type, index)) body.attachments.push({ part, isRelated: place.isRelated });
    else if (type === "multipart/alternative") (isHtml(part) ? body.html : body.text).push(part);
    else {
      if (place.inAlternative && isHtml(part)) place.text = false;
      else if (place.inAlternative) place.html = false;
      if (place.text) body.text.push(part);
      if (place.html) body.html.push(part);
    }
  }
  if (type !== "multipart/alternative") return;
  if (body.text.length === texts) body.text.push(...body.html.slice(htmls));
  else if (body.html.length === htmls) body.html.push(...body.text.slice(texts));
}
var within = (type, place) => ({
  ...place,
  inAlternative: place.inAlternative || type === "multipart/alternative",
  isRelated: place.isRelated || type === "multipart/related"
});
var isHtml = ({ type }) => type === "text/html";
function isBody({ type, disposition, name }, parent, index) {
  if (disposition === "attachment") return false;
  if (type !== "text/plain" && type !== "text/html" && !type.startsWith("multipart/")) return false;
  if (index === 0 || parent === "multipart/alternative") return true;
  return parent !== "multipart/related" && name === null;
}

// src/mail/html-entities.ts
var LATIN = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml ";
var OTHERS = "OElig:152 oelig:153 Scaron:160 scaron:161 Yuml:178 fnof:192 circ:2c6 tilde:2dc Alpha:391 Beta:392 Gamma:393 Delta:394 Epsilon:395 Zeta:396 Eta:397 Theta:398 Iota:399 Kappa:39a Lambda:39b Mu:39c Nu:39d Xi:39e Omicron:39f Pi:3a0 Rho:3a1 Sigma:3a3 Tau:3a4 Upsilon:3a5 Phi:3a6 Chi:3a7 Psi:3a8 Omega:3a9 alpha:3b1 beta:3b2 gamma:3b3 delta:3b4 epsilon:3b5 zeta:3b6 eta:3b7 theta:3b8 iota:3b9 kappa:3ba lambda:3bb mu:3bc nu:3bd xi:3be omicron:3bf pi:3c0 rho:3c1 sigmaf:3c2 sigma:3c3 tau:3c4 upsilon:3c5 phi:3c6 chi:3c7 psi:3c8 omega:3c9 thetasym:3d1 upsih:3d2 piv:3d6 ensp:2002 emsp:2003 thinsp:2009 zwnj:200c zwj:200d lrm:200e rlm:200f ndash:2013 mdash:2014 lsquo:2018 rsquo:2019 sbquo:201a ldquo:201c rdquo:201d bdquo:201e dagger:2020 Dagger:2021 bull:2022 hellip:2026 permil:2030 prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a oline:203e frasl:2044 euro:20ac image:2111 weierp:2118 real:211c trade:2122 alefsym:2135 larr:2190 uarr:2191 rarr:2192 darr:2193 harr:2194 crarr:21b5 lArr:21d0 uArr:21d1 rArr:21d2 dArr:21d3 hArr:21d4 forall:2200 part:2202 exist:2203 empty:2205 nabla:2207 isin:2208 notin:2209 ni:220b prod:220f sum:2211 minus:2212 lowast:2217 radic:221a prop:221d infin:221e ang:2220 and:2227 or:2228 cap:2229 cup:222a int:222b there4:2234 sim:223c cong:2245 asymp:2248 ne:2260 equiv:2261 le:2264 ge:2265 sub:2282 sup:2283 nsub:2284 sube:2286 supe:2287 oplus:2295 otimes:2297 perp:22a5 sdot:22c5 lceil:2308 rceil:2309 lfloor:230a rfloor:230b lang:2329 rang:232a loz:25ca spades:2660 clubs:2663 hearts:2665 diams:2666 ";
var ENTITY = /&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z][a-z0-9]{1,9});?/gi;
var named = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["zwsp", "\u200B"],
  ...LATIN.trim().split(" ").map((name, index) => [name, String.fromCodePoint(160 + index)]),
  ...OTHERS.trim().split(" ").map((pair) => {
    const [name = "", code = ""] = pair.split(":");
    return [name, String.fromCodePoint(Number.parseInt(code, 16))];
  })
]);
function decodeEntities(text) {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole, body) => decodeOne(body) ?? whole);
}
function decodeOne(body) {
  if (!body.startsWith("#")) return named.get(body) ?? named.get(body.toLowerCase());
  const isHex = body[1] === "x" || body[1] === "X";
  const code = isHex ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10);
  const isCharacter = code > 0 && code <= 1114111 && (code < 55296 || code > 57343);
  return isCharacter ? String.fromCodePoint(code) : "\uFFFD";
}

// src/mail/html-tokens.ts
var RAW = /* @__PURE__ */ new Set(["script", "style", "title", "template", "textarea", "xmp", "iframe"]);
var NAME = /[a-z][^\s/>]{0,40}/iy;
var ATTRIBUTE = /([^\s"'<>/=]{1,60})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
function* htmlTokens(html) {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const textEnd = open === -1 ? html.length : open;
    if (textEnd > at) yield { kind: "text", text: decodeEntities(html.slice(at, textEnd)) };
    if (open === -1) return;
    const markup = readMarkup(html, open);
    if (markup.token) yield markup.token;
    at = markup.end;
    const isRaw = markup.token?.kind === "open" && RAW.has(markup.token.name);
    if (isRaw && markup.token?.kind === "open") at = endOfRaw(html, at, markup.token.name);
  }
}
function attributeOf(attributes, name) {
  for (const match of attributes.slice(0, 4096).matchAll(ATTRIBUTE)) {
    if (match[1]?.toLowerCase() === name) return decodeEntities(match[2] ?? match[3] ?? match[4] ?? "").trim();
  }
  return "";
}
function readMarkup(html, open) {
  if (html.startsWith("<!--", open)) return { end: after(html, "-->", open + 4) };
  const next = html[open + 1];
  if (next === "!" || next === "?") return { end: after(html, ">", open) };
  const isClose = next === "/";
  NAME.lastIndex = open + (isClose ? 2 : 1);
  const name = NAME.exec(html)?.[0];
  if (!name) return { token: { kind: "text", text: "<" }, end: open + 1 };
  const end = endOfTag(html, NAME.lastIndex);
  const lower = name.toLowerCase();
  if (isClose) return { token: { kind: "close", name: lower }, end };
  return { token: { kind: "open", name: lower, attributes: html.slice(NAME.lastIndex, end - 1) }, end };
}
function endOfTag(html, from) {
  let quote = "";
  let previous = "";
  for (let at = from; at < html.length; at++) {
    const character = html[at];
    if (quote) {
      if (character === quote) quote = "";
    } else if (character === ">") return at + 1;
    else if ((character === '"' || character === "'") && previous === "=") quote = character;
    if (character > " ") previous = character;
  }
  return html.length;
}
function endOfRaw(html, from, name) {
  const close = new RegExp(`</${name}`, "gi");
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}
function after(html, mark2, from) {
  const found = html.indexOf(mark2, from);
  return found === -1 ? html.length : found + mark2.length;
}

// src/mail/text-lines.ts
var MAX_QUOTE_DEPTH = 10;
var MAX_BREAKS = 3;
var INVISIBLE = /\u00ad|\u034f|\u200b|\ufeff/g;
var TextLines = class {
  #parts = [];
  #length = 0;
  #breaks = 0;
  #quoteDepth = 0;
  #breakDepth = 0;
  #marker = "";
  #space = false;
  #maxLength;
  constructor(maxLength) {
    this.#maxLength = maxLength;
  }
  /** True when nothing more fits. */
  get isFull() {
    return this.#length >= this.#maxLength;
  }
  /** The number of characters so far: `since` reads what came after. */
  get position() {
    return this.#parts.length;
  }
  /** Ends the line (1) or the paragraph (2). */
  block(breaks) {
    this.#breaks = Math.max(this.#breaks, breaks);
    this.#space = false;
    this.#breakDepth = Math.min(this.#breakDepth, this.#quoteDepth);
  }
  /** A line break as of `<br>`: every one counts, up to two empty lines. */
  lineBreak() {
    this.#breaks = Math.min(this.#breaks + 1, MAX_BREAKS);
    this.#space = false;
    this.#breakDepth = Math.min(this.#breakDepth, this.#quoteDepth);
  }
  /** Enters (1) or leaves (-1) a quotation. */
  quote(step) {
    this.block(1);
    this.#quoteDepth = Math.max(0, this.#quoteDepth + step);
    this.block(1);
  }
  /** What stands before the next text, such as the bullet of a list item. */
  mark(marker) {
    this.#marker = marker;
  }
  /** White space that matters only between two words. */
  space() {
    if (this.#breaks === 0 && this.#parts.length > 0) this.#space = true;
  }
  /** Adds text; `keep` leaves white space as it is, except at line ends. */
  text(text, keep = false) {
    if (keep) this.#preformatted(text);
    else this.#flowing(text);
  }
  /** What was written since a position. */
  since(position) {
    return this.#parts.slice(position).join("");
  }
  /** The whole text, without empty lines at its ends. */
  toString() {
    return this.#parts.join("").trim();
  }
  #flowing(text) {
    const folded2 = text.replace(INVISIBLE, "").replace(/\s+/g, " ");
    const words = folded2.trim();
    if (!words) {
      if (text.includes("\xA0") && this.#breaks > 0) this.lineBreak();
      else if (folded2) this.space();
      return;
    }
    if (folded2.startsWith(" ")) this.space();
    this.#write(words);
    if (folded2.endsWith(" ")) this.#space = true;
  }
  #preformatted(text) {
    const lines = text.split(/\r\n|\r|\n/);
    lines.forEach((line, index) => {
      if (index > 0) this.lineBreak();
      if (line.trim()) this.#write(line.trimEnd());
    });
  }
  #write(words) {
    if (this.isFull) return;
    const lead = this.#lead();
    this.#parts.push(lead + words);
    this.#length += lead.length + words.length;
  }
  // White space, quote marks and bullet that were due before this text.
  #lead() {
    const isFirst = this.#parts.length === 0;
    const startsLine = isFirst || this.#breaks > 0;
    const between = startsLine ? this.#lineStart(isFirst) : this.#space ? " " : "";
    const lead = between + this.#marker;
    this.#breaks = 0;
    this.#space = false;
    this.#marker = "";
    this.#breakDepth = MAX_QUOTE_DEPTH;
    return lead;
  }
  #lineStart(isFirst) {
    const depth = Math.min(this.#quoteDepth, MAX_QUOTE_DEPTH);
    const own = "> ".repeat(depth);
    if (isFirst) return own;
    const empty = `${"> ".repeat(Math.min(this.#breakDepth, depth)).trimEnd()}
`;
    return `
${empty.repeat(this.#breaks - 1)}${own}`;
  }
};

// src/mail/html-to-text.ts
var PARAGRAPHS = /* @__PURE__ */ new Set(["h1", "h2", "h3", "h4", "h5", "h6", "dl", "table", "pre", "figure"]);
var LINES = new Set(
  "div tr li blockquote section article header footer main aside nav address center form dt dd fieldset caption body option".split(
    " "
  )
);
var VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
var HIDDEN = /display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}hidden|mso-hide\s{0,5}:\s{0,5}all|opacity\s{0,5}:\s{0,5}0(?![.\d])|max-height\s{0,5}:\s{0,5}0(?![.\d])/i;
var OUTLOOK_RULE = /border-top:\s{0,3}solid #(?:e1e1e1|b5c4df)/i;
var MAX_LINK_LENGTH = 2e3;
var MAX_LISTS = 20;
function htmlToText(html, maxLength = 2 * 1024 * 1024) {
  const renderer = new Renderer(maxLength);
  for (const token of htmlTokens(html)) {
    if (renderer.lines.isFull) break;
    renderer.take(token);
  }
  return renderer.lines.toString().slice(0, maxLength);
}
var isHiddenTag = (name, attributes) => HIDDEN.test(attributes.slice(0, 2048)) && !VOID.has(name);
var Renderer = class {
  lines;
  #quotes = [];
  #lists = [];
  #preformatted = 0;
  #isWord = false;
  #link = null;
  #hidden = null;
  constructor(maxLength) {
    this.lines = new TextLines(maxLength);
  }
  take(token) {
    if (this.#hidden) this.#skip(token);
    else if (token.kind === "text") this.lines.text(token.text, this.#preformatted > 0);
    else if (token.kind === "open") this.#open(token.name, token.attributes);
    else this.#close(token.name);
  }
  // Counts only tags of the name that hides, so unclosed tags within do not matter.
  #skip(token) {
    const hidden = this.#hidden;
    if (!hidden || token.kind === "text" || token.name !== hidden.name) return;
    hidden.depth += token.kind === "open" ? 1 : -1;
    if (hidden.depth === 0) this.#hidden = null;
  }
  #open(name, attributes) {
    if (isHiddenTag(name, attributes)) {
      this.#hidden = { name, depth: 1 };
      return;
    }
    this.#breakBefore(name, attributes);
    if (name === "br") this.lines.lineBreak();
    else if (name === "a") this.#openLink(attributes);
    else if (name === "li") this.#openItem();
    else if (name === "ul" || name === "ol") this.#openList(name, attributes);
    else if (name === "blockquote") this.#openQuote(attributes);
    else if (name === "pre") this.#preformatted++;
    else if (name === "td" || name === "th") this.lines.space();
    else if (name === "hr" || name === "div" && OUTLOOK_RULE.test(attributes.slice(0, 2048))) this.#rule();
    else if (name === "img") this.lines.text(attributeOf(attributes, "alt"));
  }
  #close(name) {
    if (name === "a") this.#closeLink();
    else if ((name === "ul" || name === "ol") && this.#lists.length > 0) this.#lists.pop();
    else if (name === "blockquote" && this.#quotes.pop()) this.lines.quote(-1);
    else if (name === "li") this.lines.mark("");
    else if (name === "pre") this.#preformatted = Math.max(0, this.#preformatted - 1);
    else if (name === "td" || name === "th") this.lines.space();
    this.#breakBefore(name, "");
  }
  #breakBefore(name, attributes) {
    if (name === "p") this.lines.block(this.#paragraphBreaks(attributes));
    else if (name === "ul" || name === "ol") this.lines.block(this.#lists.length > 0 ? 1 : 2);
    else if (PARAGRAPHS.has(name)) this.lines.block(2);
    else if (LINES.has(name)) this.lines.block(1);
  }
  // Word's paragraphs have no margin; their empty lines are paragraphs of their own. A closing tag is as its opening.
  #paragraphBreaks(attributes) {
    if (attributes) this.#isWord = /class=["']?Mso/i.test(attributes.slice(0, 2048));
    return this.#isWord ? 1 : 2;
  }
  #openLink(attributes) {
    this.#closeLink();
    this.#link = { href: attributeOf(attributes, "href"), start: this.lines.position };
  }
  #closeLink() {
    const link = this.#link;
    this.#link = null;
    if (!link?.href) return;
    const target = linkTarget(link.href);
    const text = this.lines.since(link.start);
    if (target && !showsTarget(text, target)) this.lines.text(text.trim() ? ` <${target}>` : ` ${target}`);
  }
  #openList(name, attributes) {
    if (this.#lists.length >= MAX_LISTS) return;
    const start = /^\d{1,6}$/.exec(attributeOf(attributes, "start"))?.[0] ?? "1";
    this.#lists.push({ next: name === "ol" ? Number(start) : null });
  }
  #openItem() {
    const list2 = this.#lists.at(-1);
    const indent = "  ".repeat(Math.max(0, this.#lists.length - 1));
    this.lines.mark(list2 && list2.next !== null ? `${indent}${list2.next++}. ` : `${indent}- `);
  }
  // Composers indent with borderless blockquotes; those are the writer's own words.
  #openQuote(attributes) {
    const isIndent = /border\s{0,5}:\s{0,5}(none|0)/i.test(attributes) && !/quote|cite/i.test(attributes);
    this.#quotes.push(!isIndent);
    if (!isIndent) this.lines.quote(1);
  }
  #rule() {
    this.lines.block(1);
    this.lines.text("----------");
    this.lines.block(1);
  }
};
function linkTarget(href) {
  const target = href.replace(/\s+/g, "");
  if (target.length > MAX_LINK_LENGTH) return null;
  if (/^mailto:/i.test(target)) return target.slice(7).split("?")[0] || null;
  return /^(https?|tel|ftp):/i.test(target) ? target : null;
}
function showsTarget(text, target) {
  const bare = (url) => url.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "").toLowerCase();
  return text.toLowerCase().includes(target.toLowerCase()) || bare(text.trim()) === bare(target);
}

// src/mail/machine-phrases.ts
var anyOf2 = (patterns) => new RegExp(patterns.join("|"), "iu");
var FAILURE_SUBJECT = anyOf2([
  "undeliver(?:able|ed)|nondeliver|non[- ]?delivery|non remis|not delivered|unzustellbar|onbestelbaar",
  "fail(?:ed|ure) (?:notice|mail|deliver)|failed mail|mail (?:delivery )?(?:failed|failure|error|problem)",
  "mail (?:system|delivery|processing) (?:error|warning|problem|failed|failure|notification|report)",
  "deliver\\w* (?:status|failure|failed|failing|problem|report|warning|notif\\w*|error|incomplete|delay\\w*|unsuccess\\w*|has failed)",
  "deliver mail failed|delivery (?:has )?(?:failed|failure)|(?:error|problem|trouble)[\\s\\w]{0,20} (?:sending|delivering|delivery)",
  "return(?:ed|ing) (?:mail|message|e-?mail|to sender)|(?:mail|message) returned",
  "could not (?:be )?(?:deliver|send|sent)|cannot (?:be deliver|send)|unable to deliver|not been delivered",
  "warning: (?:message|mail|could not|[^ ]{1,64}@)|warning--could not|message delayed|delivery delay|processing error",
  "user unknown|unknown user|mailbox (?:is )?full|rejected (?:mail|message)|message rejected|mail rejected",
  "nicht zugestellt|zustellung fehlgeschlagen|zustellungsfehler|unzustellbarkeit",
  "\xE9chec (?:de (?:la )?)?(?:remise|distribution|livraison)|echec de|non distribu|n['\u2019]a pas pu \xEAtre",
  "no (?:se )?(?:pudo|ha podido)[\\s\\w]{0,12} ?entreg|no entregad|error (?:de|en la) entrega|fallo (?:de|en la) entrega|devuelto",
  "mancata consegna|mancato recapito|non consegnat|errore di consegna|impossibile recapitare",
  "n\xE3o (?:foi |\xE9 poss\xEDvel |pode ser )?entreg|n\xE3o p\xF4de ser entregue|falha (?:na|de) entrega|devolvid",
  "niet (?:te bezorgen|bezorgd|afgeleverd|verzonden)|kunde inte lever|ikke leveres|kunne ikke lever|ei voitu toimittaa",
  "niedostarcz|nie (?:mo\u017Cna )?dostarcz|kan inte levereras|kan ikke leveres|nedoru\u010D|k\xE9zbes\xEDthetetlen|teslim edilemedi|iletilemedi",
  "\u043D\u0435 (?:\u043C\u043E\u0436\u0435\u0442 \u0431\u044B\u0442\u044C )?\u0434\u043E\u0441\u0442\u0430\u0432\u043B\u0435\u043D|\u043D\u0435\u0434\u043E\u0441\u0442\u0430\u0432\u043B\u0435\u043D|\u043D\u0435 \u0443\u0434\u0430\u043B\u043E\u0441\u044C \u0434\u043E\u0441\u0442\u0430\u0432\u0438\u0442\u044C|\u043D\u0435 \u0434\u043E\u0441\u0442\u0430\u0432\u043B\u0435\u043D\u043E",
  "\u914D\u4FE1(?:\u30A8\u30E9\u30FC|\u4E0D\u80FD|\u5931\u6557|\u3067\u304D\u307E\u305B\u3093|\u4E0D\u53EF)|\u9001\u4FE1(?:\u30A8\u30E9\u30FC|\u3067\u304D\u307E\u305B\u3093)|\u914D\u9001(?:\u30A8\u30E9\u30FC|\u3067\u304D\u307E\u305B\u3093|\u4E0D\u80FD)|\u5C4A\u304D\u307E\u305B\u3093|\u8FD4\u9001|\u30E1\u30FC\u30EB(?:\u30A8\u30E9\u30FC|\u9001\u4FE1\u3067\u304D\u307E\u305B\u3093)",
  "\u9000\u4FE1|\u65E0\u6CD5(?:\u53D1\u9001|\u6295\u9012|\u9001\u8FBE)|\u6295\u9012\u5931\u8D25|\u53D1\u9001\u5931\u8D25|\u7121\u6CD5(?:\u50B3\u9001|\u6295\u905E|\u905E\u9001|\u50B3\u905E)|\u7CFB\u7EDF\u9000\u4FE1|\uBC30\uB2EC(?:\uB418\uC9C0| \uBABB\uD568|\uD560 \uC218)|\uC804\uC1A1 \uC2E4\uD328|\uBC18\uC1A1"
]);
var FAILURE_TEXT = anyOf2([
  "(?:could|can|would|was|were|has|have|did|does)(?: not|n['\u2019]t|not)(?: yet)?(?: be| been)? (?:deliver|reach|sent|send|receive)",
  "unable to (?:deliver|send|forward|be delivered|establish)|not able to deliver|error deliver|trouble deliver|difficulty deliver",
  "undeliver(?:able|ed)|non-deliver|deliver\\w* (?:to|of|for)? ?[^.]{0,60}(?:failed|failure|aborted|delayed|postponed|unsuccessful)",
  "fail(?:ed|ure)s? (?:recipient|address|to deliver|reason|delivery)|deliver\\w* (?:error|problem|failure|failed|status)",
  "permanent(?:ly)? (?:fatal )?(?:error|failure|failed)|fatal error|returned (?:mail|message|to sender|because)|has been returned",
  "(?:user|recipient|address|mailbox|account|host|domain|addressee) (?:name )?(?:is )?(?:unknown|unavailable|not found|not known|disabled|invalid|rejected|full)",
  "(?:unknown|invalid|no such|bad|nonexistent) (?:local )?(?:user|recipient|address|mailbox|host|domain|account|final)",
  "(?:does|did)(?: not|n['\u2019]t) (?:exist|have an? [\\w.-]{1,60} account|exactly match|accept)|exceed\\w* (?:\\w+ ){0,3}(?:quota|size|limit)|over quota|quota (?:exceeded|violation)",
  "(?:mail)?(?:box|folder) (?:is |was )?full|no mailbox here|transcript of session|delivery (?:status )?notification",
  "(?:rejected|refused) by|rejected a message|was rejected|smtp error|rcpt to:|said: ?[45]\\d\\d|may not exist|encountered (?:an error|delivery problems)",
  "no longer (?:valid|exists|active)|message[\\s\\w]{0,20} (?:is|been) delayed|will be retried|address(?:\\(es\\)|es)? failed",
  "n['\u2019]a pas (?:pu|\xE9t\xE9)|non remis|adresse[^.]{0,40}n['\u2019]existe pas|konnten? nicht|nicht zugestellt|unzustellbar|unbekannt",
  "no (?:se )?(?:pudo|ha podido|pudieron)|no existe|no fue entregad|non (?:\xE8|e[\xB4`']) stat\\w (?:possibile|consegnat|recapitat)|impossibile (?:recapitare|consegnare)",
  "n\xE3o (?:p\xF4de|foi (?:poss\xEDvel|entregue)|pode|existe)|desconhecid|nao (?:pode|foi)|kon(?:den)? niet|kan niet worden|niet (?:bezorgd|afgeleverd)|onbekend",
  "kunde inte|kunne ikke|nie (?:mog\u0142a|mo\u017Cna|zosta\u0142)|nedoru\u010D|teslim edilem|iletilem",
  "\u043D\u0435 \u043C\u043E\u0436\u0435\u0442 \u0431\u044B\u0442\u044C \u0434\u043E\u0441\u0442\u0430\u0432\u043B\u0435\u043D|\u043D\u0435 (?:\u0431\u044B\u043B\u043E )?\u0434\u043E\u0441\u0442\u0430\u0432\u043B\u0435\u043D|\u043D\u0435\u0432\u043E\u0437\u043C\u043E\u0436\u043D\u043E \u0434\u043E\u0441\u0442\u0430\u0432\u0438\u0442\u044C|\u043D\u0435 \u0443\u0434\u0430\u043B\u043E\u0441\u044C \u0434\u043E\u0441\u0442\u0430\u0432\u0438\u0442\u044C|\u043D\u0435 \u0441\u0443\u0449\u0435\u0441\u0442\u0432\u0443\u0435\u0442",
  "\u3067\u304D(?:\u307E\u305B\u3093|\u306A\u304B\u3063\u305F)|\u30A8\u30E9\u30FC|\u5B58\u5728\u3057\u307E\u305B\u3093|\u898B\u3064\u304B\u308A\u307E\u305B\u3093|\u5C4A\u304D(?:\u307E\u305B\u3093)|\u3042\u308A\u307E\u305B\u3093|\u5931\u6557\u3057\u307E\u3057\u305F",
  "\u65E0\u6CD5(?:\u53D1\u9001|\u6295\u9012|\u9001\u8FBE|\u5230\u8FBE)|\u5931\u8D25|\u9000\u4FE1|\u4E0D\u5B58\u5728|\u7121\u6CD5|\u5931\u6557|\uBC30\uB2EC|\uC804\uC1A1\uB418\uC9C0|\uBC18\uC1A1"
]);
var STILL_TRYING = anyOf2([
  "will (?:be retried|continue (?:to|trying)|keep trying|be made|retry|try again)|still trying|(?:attempts|continue) will continue",
  "not yet been delivered|has(?: not|n.t) been delivered yet|warning message only|temporary failure report|do(?:es)? not need to re-?send|need not resend",
  "is delayed|been delayed|delivery delayed|been postponed|delayed for more|just a warning|this is (?:only )?a warning|attempts will continue|deliver\\w* incomplete|warning\\W{1,3}could not send",
  "verz\xF6gert|noch nicht zugestellt|retard\xE9|se ha retrasado|in ritardo|atrasada|\u0437\u0430\u0434\u0435\u0440\u0436\u0430\u043D|\u9045\u5EF6|\u9045\u308C\u3066|\u5EF6\u8FDF|\u5EF6\u9072"
]);
var GIVEN_UP = anyOf2([
  "giv(?:en|ing) up",
  "not going to try",
  "has been removed from the",
  "message expired",
  "could not be delivered for"
]);
var MAILBOX_FULL = anyOf2([
  "(?:mail ?box|mailfolder|account|inbox|folder|storage|disk)[^.]{0,30} (?:is |was |has )?(?:full|over ?quota|exceed)|mailbox full|mail ?box space not enough",
  "(?:over|exceed\\w*|exceeding)(?: \\w+){0,3} (?:quota|mail ?box|storage|disk)|quota (?:exceed|violation|full|has been)|over quota|out of (?:storage|disk) (?:space|quota)|too much mail",
  "local limit|mailbox exceeds|insufficient (?:disk|system storage)|\u5BB9\u91CF|\u3044\u3063\u3071\u3044|\u5DF2\u6EE1|\u5DF2\u6EFF|\u8D85\u8FC7"
]);
var RETURNED_BELOW = anyOf2([
  "^[\\s>|*=-]{0,20}(?:below )?(?:this|the next)? ?(?:line )?(?:this |is |here is )?(?:is )?a copy of (?:the|your|this) (?:original )?(?:message|mail)",
  "^[\\s|*=#-]{2,80} ?(?:(?:the )?header of the )?(?:original|returned|unsent|undelivered|source|attached) (?:message|mail)",
  "^[\\s|*=#-]{2,80} ?(?:message (?:header|text|content)|start of returned|header of|mensaje original|the header and)",
  "^(?:original (?:message|mail)(?: as received is as)? follows|message headers? follows?|original message headers|here is a copy of|included is a copy of)",
  "^ {0,8}(?:below is|this is|the following is|here is|enclosed is) (?:a|the) (?:copy|first)",
  "original message (?:below this line|follow)|your message reads|first \\d+ lines of",
  "^[\\s-]{0,20}\u9644\u4EF6\u4E2D|^---\\s?\u043D\u0438\u0436\u0435|^---\\s?original"
]);
var UNREACHED = anyOf2([
  "tim(?:ed?|ing) ?out|giving up|queue too long|message expired|too long in (?:the )?queue|unable to connect|could ?n.t connect|not responding",
  "connection (?:refused|dropped|lost)|unreachable|not reachable|hosts have been failing|network (?:error|problem)|establish an smtp connection|temporar|try (?:again )?later"
]);

// src/mail/message-id.ts
var MAX_ID_LENGTH = 900;
var MAX_STORED_REFERENCES = 100;
function extractMessageIds(value) {
  const ids = value.includes("<") ? bracketedIds(value) : bareIds(value);
  return [...new Set(ids)];
}
function extractReferences(value) {
  return firstAndLast(extractMessageIds(value), MAX_STORED_REFERENCES);
}
function bracketedIds(value) {
  const ids = [];
  let start = -1;
  for (let at = 0; at < value.length; at++) {
    const character = value[at];
    if (character === "<") start = at + 1;
    else if (character === ">" && start >= 0) {
      ids.push(value.slice(start, at));
      start = -1;
    }
  }
  return ids.flatMap(toId);
}
function bareIds(value) {
  return value.split(/[\s,;"]+/).filter((word) => word.includes("@")).flatMap(toId);
}
function toId(inner) {
  if (inner.length > MAX_ID_LENGTH) return [];
  const id = inner.replace(/\s+/g, "");
  return /^[^\p{C}<>]+$/u.test(id) ? [`<${id}>`] : [];
}
function firstAndLast(ids, count) {
  if (ids.length <= count) return ids;
  return [...ids.slice(0, 1), ...ids.slice(1 - count)];
}

// src/mail/report-recipients.ts
var ADDRESS = "[\\p{L}\\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}@[\\p{L}\\p{N}.-]{1,200}[\\p{L}\\p{N}]";
var ANY = new RegExp(ADDRESS, "gu");
var LEADING = new RegExp(
  `^[\\s>|*\u2022-]*(?:"[^"<>@]{0,100}"\\s{0,3})?[<"'\\[(]{0,2}(${ADDRESS})[>"'\\])]{0,2}(.*)$`,
  "u"
);
var GENERATED = new RegExp(
  `(?:expanded from|generated from|originally addressed to|original recipient)[:\\s]{0,3}<?(${ADDRESS})`,
  "iu"
);
var NOT_MEANT = new RegExp(
  `(?:\\b(?:mail ?from|from|sender|contact|mailto|by|see|envelope-sender|hello|hallo)\\b:?|f=)[\\s:<[(]{0,4}${ADDRESS}`,
  "giu"
);
var TELLING = /unknown|invalid|not|no such|full|fail|reject|quota|error|denied|disabled|exist|because|wrong|full|on \w{3},/i;
var ROLE = /^(?:postmaster|mailer-daemon|mail-daemon|abuse|support|helpdesk|hostmaster)@/i;
var MAX_FOUND = 200;
function findNamedRecipients(lines, others) {
  const leading = collect2(lines, others, leadingAddresses);
  return leading.length > 0 ? leading : collect2(lines, others, meantAddresses);
}
function failedRecipients(headers) {
  return headers.filter(({ name }) => name.toLowerCase() === "x-failed-recipients").flatMap(({ value }) => value.slice(0, 16384).match(ANY) ?? []).slice(0, MAX_FOUND);
}
function reasonAt(lines, named2, line) {
  const next = named2.map((one) => one.line).filter((at) => at > line);
  const end = Math.min(line + 8, next.length > 0 ? Math.min(...next) : lines.length);
  const words = [];
  for (const text of lines.slice(Math.max(line, 0), end)) {
    if (!text.trim() && words.length > 1) break;
    words.push(text.trim());
  }
  return words.join(" ").trim();
}
var lineOf = (lines, address) => lines.findIndex((line) => line.toLowerCase().includes(address.toLowerCase()));
function collect2(lines, others, find) {
  const found = /* @__PURE__ */ new Map();
  let last;
  for (const [line, text] of lines.entries()) {
    if (found.size >= MAX_FOUND) break;
    const original = GENERATED.exec(text)?.[1];
    if (original) {
      if (last !== void 0) found.delete(last);
      found.set(original.toLowerCase(), { address: original, line });
      continue;
    }
    for (const address of find(text)) {
      const key = address.toLowerCase();
      if (others.has(key) || ROLE.test(key)) continue;
      if (!found.has(key)) found.set(key, { address, line });
      last = key;
    }
  }
  return [...found.values()];
}
function leadingAddresses(line) {
  const [, address, rest = ""] = LEADING.exec(line) ?? [];
  if (!address) return [];
  if (/^\s*[,;]\s*\S+@/.test(rest)) return line.match(ANY) ?? [];
  const isNamed = rest.trim() === "" || !/^\s*[\p{L}\p{N}]/u.test(rest) || TELLING.test(rest);
  return isNamed ? [address] : [];
}
function meantAddresses(line) {
  if (/^\s*(?:to|cc|from|subject|sent|date)\s*:/i.test(line)) return [];
  const found = line.replace(NOT_MEANT, " ").match(ANY) ?? [];
  return found.map((address) => address.replace(/^(?:smtp[=:]|['`])+/i, ""));
}

// src/mail/bounce.ts
var MAX_RECIPIENTS = 200;
var MAX_DIAGNOSTIC = 500;
var MACHINES = /^(?:mailer[._-]?daemon|mail[._-]?daemon|post-?master|mdaemon|mail\.delivery\.(?:system|subsystem)|mail-?admin\w*|imss|mailsystem)(?:$|[\\@+])/i;
var MACHINE_NAMES = /mail(?: |er)(?:delivery|deliver|delivering|daemon|administrator|system)|delivery (?:sub)?system|postmaster/i;
var CLIENTS = /outlook|thunderbird|mozilla|apple mail|iphone|ipad|mutt|zimbra|roundcube|webmail|lotus|eudora|the bat|pine|claws|kmail|evolution|k-9|fairemail|horde|squirrelmail|superhuman|sylpheed/i;
var ENHANCED = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)/;
var REPLY2 = /(?<![\d.:[@-])([45])\d\d(?=[\s:;,)'"-]|$)(?!\.\d)/;
function readBounce(headers, parts) {
  if (parts.isEnclosed && !evidenceOf(headers).isMachine) return null;
  const recipients = parts.status.length > 0 ? recipientsOfStatus(parts) : [];
  if (recipients.length > 0)
    return recipients.some(({ action }) => action !== "delivered") ? bounceOf(recipients, parts) : null;
  if (!isFailureReport(headers, parts)) return null;
  return bounceOf(recipientsInWords(headers, parts), parts);
}
function mayBeReport(headers) {
  const type = headerValue(headers, "content-type")?.toLowerCase() ?? "";
  return type.startsWith("multipart/report") || evidenceOf(headers).points > 0;
}
function describeReturned(fields) {
  const value = (name) => headerValue(fields, name) ?? "";
  const addresses = (name) => parseAddressList(headerValues(fields, name)[0] ?? "").map(({ address }) => address);
  return {
    messageId: extractMessageIds(value("message-id"))[0] ?? null,
    from: addresses("from")[0] ?? null,
    to: [...addresses("to"), ...addresses("cc")].slice(0, MAX_RECIPIENTS),
    subject: truncated(singleLine(decodeHeader(value("subject"))), MAX_DIAGNOSTIC)
  };
}
var bounceOf = (recipients, { returned }) => ({
  recipients,
  returned: returned ? describeReturned(returned) : null
});
function recipientsOfStatus({ status, lines }) {
  const words = lines.join(" ");
  const found = /* @__PURE__ */ new Map();
  for (const group of status) {
    const recipient = recipientOfGroup(group, words);
    const key = recipient?.address.toLowerCase() ?? "";
    if (recipient && !found.has(key)) found.set(key, recipient);
    if (found.size === MAX_RECIPIENTS) break;
  }
  return [...found.values()];
}
function recipientOfGroup(group, words) {
  const value = (name) => decodeHeader(headerValue(group, name) ?? "");
  const original = addressOf(value("original-recipient"));
  const final = addressOf(value("final-recipient")) ?? addressOf(value("x-actual-recipient"));
  const address = original ?? final;
  if (!address) return null;
  const diagnostic = value("diagnostic-code").replace(/^[\w-]{1,20};\s*/, "");
  const status = statusOf(value("status"), diagnostic);
  const declared = value("action").toLowerCase();
  const action = actionOf(declared, status, words);
  return recipientOf({ address, action, status, diagnostic: diagnostic || null });
}
function actionOf(declared, status, words) {
  if (/^(?:delivered|relayed|expanded)/.test(declared)) return "delivered";
  if (declared.startsWith("delayed")) return "delayed";
  if (declared.startsWith("failed") || !status) return "failed";
  if (status.startsWith("2")) return "delivered";
  return status.startsWith("4") && isStillTried(words) ? "delayed" : "failed";
}
function addressOf(value) {
  const address = value.slice(0, 1e3).replace(/^[\w-]{1,20}\s*;\s*/, "").trim();
  const plain = address.replace(/^<|>.*$/g, "").replace(/\+([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const [mailbox] = parseAddressList(plain);
  return mailbox && splitAddress(mailbox.address) ? mailbox.address : null;
}
function recipientsInWords(headers, parts) {
  const named2 = namedRecipients(headers, parts);
  const words = parts.lines.join(" ");
  const action = isStillTried(`${headerValue(headers, "subject") ?? ""} ${words}`) ? "delayed" : "failed";
  return named2.map(({ address, line }) => {
    const reason = line < 0 ? words : reasonAt(parts.lines, named2, line);
    const known = ENHANCED.test(reason) || REPLY2.test(reason) || MAILBOX_FULL.test(reason);
    const diagnostic = known || named2.length > 1 ? reason : words;
    const status = statusOf("", diagnostic);
    return recipientOf({ address, action, status, diagnostic: reason || null }, diagnostic);
  });
}
function namedRecipients(headers, { lines, returned }) {
  const declared = failedRecipients(headers);
  if (declared.length > 0) return declared.map((address) => ({ address, line: lineOf(lines, address) }));
  const others = new Set(
    [...headers, ...returned ?? []].filter(({ name }) => /^(?:from|to|return-path|sender|reply-to)$/i.test(name)).flatMap(({ value }) => parseAddressList(value).map(({ address }) => address.toLowerCase()))
  );
  for (const to2 of returned ? describeReturned(returned).to : []) others.delete(to2.toLowerCase());
  const named2 = findNamedRecipients(lines, others);
  if (named2.length > 0) return named2;
  const to = returned ? describeReturned(returned).to : [];
  return to.length === 1 ? [{ address: to[0], line: -1 }] : [];
}
function recipientOf(found, text = found.diagnostic ?? "") {
  const isFull = found.status?.endsWith(".2.2") || MAILBOX_FULL.test(text);
  const isUnreached = found.status === null && UNREACHED.test(text);
  const isSoft = found.action !== "failed" || found.status?.startsWith("4") || isFull || isUnreached;
  const diagnostic = found.diagnostic ? truncated(singleLine(found.diagnostic), MAX_DIAGNOSTIC) : null;
  return { ...found, diagnostic, kind: isSoft ? "soft" : "hard" };
}
function statusOf(declared, diagnostic) {
  const own = ENHANCED.exec(declared)?.[0] ?? null;
  const said = ENHANCED.exec(diagnostic)?.[0] ?? null;
  if (own && !own.endsWith(".0.0")) return own;
  if (said && !said.startsWith("2")) return said;
  const reply = REPLY2.exec(diagnostic)?.[1];
  return own ?? (reply ? `${reply}.0.0` : null);
}
var isStillTried = (words) => STILL_TRYING.test(words) && !GIVEN_UP.test(words);
function evidenceOf(headers) {
  const value = (name) => headerValue(headers, name);
  const from = value("from") ?? "";
  const [sender] = parseAddressList(from);
  const returnPath = value("return-path")?.trim() ?? "";
  const subject = singleLine(decodeHeader(value("subject") ?? ""));
  const isNullSender2 = /^<\s*>/.test(returnPath);
  const isLetter = !isNullSender2 && isReply(subject) && value("in-reply-to") !== void 0;
  const isNamedSo = MACHINES.test(returnPath.replace(/^</, "")) || MACHINES.test(sender?.address ?? from.replace(/[<"]/g, "")) || /<\s*>\s*$/.test(from) || MACHINE_NAMES.test(sender?.name ?? "");
  const isMachine = isNullSender2 || isNamedSo && !isLetter || value("x-failed-recipients") !== void 0;
  const isNamed = FAILURE_SUBJECT.test(subject) && !/^(?:re|aw|fwd?|wg|tr|rv|sv)\s?:|\?$/i.test(subject);
  return { points: (isMachine ? 2 : 0) + (isNamed ? 2 : 0), isMachine };
}
function isFailureReport(headers, parts) {
  const { points, isMachine } = evidenceOf(headers);
  if (points === 0 || !isMachine && isFromClient(headers)) return false;
  if (isDisposition(headers)) return false;
  if (isMachine && headerValue(headers, "x-failed-recipients") !== void 0) return true;
  const words = parts.lines.join(" ").replace(/\s+/g, " ").slice(0, 16384);
  const said = FAILURE_TEXT.test(words) ? 2 : 0;
  const code = ENHANCED.test(words) || REPLY2.test(words) ? 1 : 0;
  const names = findNamedRecipients(parts.lines.slice(0, 100), /* @__PURE__ */ new Set()).length > 0 ? 1 : 0;
  const returned = parts.returned ? 1 : 0;
  const sum = points + said + code + names + returned;
  return isMachine ? sum >= 4 : sum >= 5 && (parts.returned !== null || !hasName(headers));
}
var hasName = (headers) => parseAddressList(headerValue(headers, "from") ?? "")[0]?.name != null;
var isFromClient = (headers) => headerValue(headers, "in-reply-to") !== void 0 || CLIENTS.test(`${headerValue(headers, "user-agent") ?? ""} ${headerValue(headers, "x-mailer") ?? ""}`);
var isDisposition = (headers) => /report-type\s{0,5}=\s{0,5}"?disposition/i.test(headerValue(headers, "content-type") ?? "");

// src/mail/parameters.ts
var MAX_VALUE_LENGTH = 8e3;
var MAX_PARAMETERS = 200;
var MAX_SECTIONS = 100;
function readParameters(field) {
  return field === "" ? NONE2 : taken(field);
}
var NONE2 = { value: "", parameters: /* @__PURE__ */ new Map() };
function taken(field) {
  const pieces = divided(field.slice(0, MAX_VALUE_LENGTH));
  const raw2 = /* @__PURE__ */ new Map();
  for (const piece of pieces.slice(1, MAX_PARAMETERS)) {
    const equals = piece.indexOf("=");
    const name = piece.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    if (name && !raw2.has(name)) raw2.set(name, parameterValue(piece.slice(equals + 1).trim()));
  }
  const value = withoutComments(pieces[0] ?? "").replace(/["\s]+/g, "").toLowerCase();
  return { value, parameters: joined(raw2) };
}
function divided(field) {
  const pieces = [];
  let start = 0;
  let isQuoted2 = false;
  for (let at = 0; at < field.length; at++) {
    const character = field[at];
    if (isQuoted2 && character === "\\") at++;
    else if (character === '"') isQuoted2 = !isQuoted2;
    else if (character === ";" && !isQuoted2) {
      pieces.push(field.slice(start, at));
      start = at + 1;
    }
  }
  if (isQuoted2 && pieces.length === 0) return field.split(";");
  pieces.push(field.slice(start));
  return pieces;
}
function parameterValue(written) {
  if (!written.startsWith('"')) return withoutComment(written);
  let value = "";
  for (let at = 1; at < written.length && written[at] !== '"'; at++) {
    if (written[at] === "\\" && (written[at + 1] === '"' || written[at + 1] === "\\")) at++;
    value += written[at];
  }
  return value;
}
var withoutComment = (word) => word.replace(/\s\([^()]{0,200}\)$/, "").trim();
var withoutComments = (text) => text.replace(/\([^()]{0,500}\)/g, "");
function joined(raw2) {
  const values = /* @__PURE__ */ new Map();
  for (const [key, value] of raw2) {
    const star = key.indexOf("*");
    const name = star === -1 ? key : key.slice(0, star);
    if (star === -1) {
      if (!values.has(name)) values.set(name, value);
    } else if (key === `${name}*`) values.set(name, extended(value));
    else if (/^\*[01]\*?$/.test(key.slice(star))) values.set(name, inSections(name, raw2) ?? value);
  }
  return values;
}
function inSections(name, raw2) {
  let text = "";
  let isExtended = false;
  const first = raw2.has(`${name}*0`) || raw2.has(`${name}*0*`) ? 0 : 1;
  for (let section = first; section < MAX_SECTIONS; section++) {
    const plain = raw2.get(`${name}*${section}`);
    const encoded2 = raw2.get(`${name}*${section}*`);
    if (plain === void 0 && encoded2 === void 0) break;
    if (encoded2 !== void 0) isExtended = true;
    text += encoded2 ?? plain.replaceAll("%", isExtended || raw2.has(`${name}*0*`) ? "%25" : "%");
  }
  if (text === "") return null;
  return isExtended ? extended(text) : text;
}
function extended(value) {
  const match = /^([\w.:+-]{0,40})'[\w-]{0,20}'(.*)$/s.exec(value);
  const [charset, text] = match ? [match[1] || null, match[2]] : [null, value];
  if (!text.includes("%")) return text;
  const octets = [];
  for (let at = 0; at < text.length; at++) {
    const hex = text[at] === "%" && /^[\da-f]{2}$/i.test(text.slice(at + 1, at + 3));
    if (hex) octets.push(Number.parseInt(text.slice(at + 1, at + 3), 16));
    else octets.push(...new TextEncoder().encode(text[at]));
    if (hex) at += 2;
  }
  return decodeText(Uint8Array.from(octets), charset);
}

// src/mail/part-fields.ts
var MAX_HEADER_BYTES = 16 * 1024;
var MAX_BOUNDARY_LENGTH = 1e3;
var TYPE = /^[\w!#$&^.+*'~-]{1,80}\/[\w!#$&^.+*'~-]{1,80}$/;
function readPartFields(header, defaultType) {
  return partFieldsOf(readHeaders(header, MAX_HEADER_BYTES).fields, defaultType);
}
function partFieldsOf(fields, defaultType) {
  const content = fields.filter(({ name }) => name.length > 8 && (name.charCodeAt(0) | 32) === 99);
  return content.length === 0 ? { ...PLAIN, type: defaultType } : fieldsOf(content, defaultType);
}
var PLAIN = {
  type: "text/plain",
  disposition: "",
  encoding: "identity",
  charset: null,
  boundary: null,
  name: null,
  contentId: null,
  isFlowed: false,
  deletesSpace: false
};
function fieldsOf(fields, defaultType) {
  const type = readParameters(headerValue(fields, "content-type") ?? "");
  const disposition = readParameters(headerValue(fields, "content-disposition") ?? "");
  const parameter = (name) => type.parameters.get(name)?.toLowerCase();
  return {
    type: typeOf(type.value, defaultType),
    disposition: disposition.value,
    encoding: encodingOf(headerValue(fields, "content-transfer-encoding") ?? ""),
    charset: parameter("charset")?.replace(/[^\w.:+-].*$/, "") || null,
    boundary: boundaryOf(type.parameters.get("boundary")),
    name: nameOf(disposition.parameters.get("filename") ?? type.parameters.get("name")),
    contentId: headerValue(fields, "content-id") ?? null,
    isFlowed: parameter("format") === "flowed",
    deletesSpace: parameter("delsp") === "yes"
  };
}
function typeOf(value, defaultType) {
  if (value === "") return defaultType;
  return TYPE.test(value) ? value : "text/plain";
}
function encodingOf(field) {
  const name = /[\w-]+/.exec(field.toLowerCase().replace(/\([^)]{0,200}\)/g, ""))?.[0] ?? "";
  if (name.includes("base64")) return "base64";
  if (name.includes("quoted-printable")) return "quoted-printable";
  return /^(?:x-)?uu(?:e|encode)?$/.test(name) ? "uuencode" : "identity";
}
var nameOf = (value) => value === void 0 ? null : decodeHeader(value) || null;
function boundaryOf(value = "") {
  const boundary = value.trimEnd();
  return boundary !== "" && boundary.length <= MAX_BOUNDARY_LENGTH ? boundary : null;
}

// src/mail/part-tree.ts
var [TAB2, LF4, CR4, SPACE3, DASH] = [9, 10, 13, 32, 45];
var MAX_BOUNDARY_LINE = 1010;
var MAX_PARTS = 2e4;
var latin13 = new TextDecoder("latin1");
function readPartTree(mail, maxDepth, headers) {
  const walk = new PartWalk(mail, maxDepth);
  let at = headers ? walk.skipHeader(headers) : 0;
  while (at < mail.length && walk.isLooking) {
    const lineFeed = mail.indexOf(LF4, at);
    const next = lineFeed === -1 ? mail.length : lineFeed + 1;
    walk.line(at, next);
    at = next;
  }
  return walk.end(mail.length);
}
function findParts(mail, maxDepth) {
  const leaves = (part) => part.parts.length > 0 ? part.parts.flatMap(leaves) : [part];
  return leaves(readPartTree(mail, maxDepth).root);
}
var PartWalk = class {
  #mail;
  #maxDepth;
  #flaws = /* @__PURE__ */ new Set();
  #open = [];
  #root = null;
  #count = 0;
  #state = "header";
  /** Where the header or the body began. */
  #start = 0;
  #node = null;
  constructor(mail, maxDepth) {
    this.#mail = mail;
    this.#maxDepth = maxDepth;
  }
  /** False when no line can be a boundary or the end of a header. */
  get isLooking() {
    return (this.#state === "header" || this.#open.length > 0) && this.#count <= MAX_PARTS;
  }
  skipHeader({ fields, bodyStart }) {
    this.#enter(partFieldsOf(fields, "text/plain"), bodyStart);
    return bodyStart;
  }
  line(at, next) {
    const boundary = this.#mail[at] === DASH && this.#mail[at + 1] === DASH ? this.#boundaryAt(at, next) : null;
    if (boundary) {
      this.#finish(at, withoutLineBreak(this.#mail, this.#start, at));
      this.#cross(boundary, next);
    } else if (this.#state === "header" && isEmptyLine(this.#mail, at, next)) this.#enterBody(at, next);
  }
  end(at) {
    if (this.#count > MAX_PARTS) this.#flaws.add("too-many-parts");
    this.#finish(at, at);
    return { root: this.#root, flaws: [...this.#flaws] };
  }
  #boundaryAt(at, next) {
    if (this.#open.length === 0) return null;
    const end = endOfText(this.#mail, at, next);
    if (end - at > MAX_BOUNDARY_LINE) return null;
    const text = latin13.decode(this.#mail.subarray(at + 2, end));
    const open = this.#open.findLastIndex(({ boundary }) => boundary === text);
    const bare = text.endsWith("--") ? text.slice(0, -2) : null;
    const closed = bare === null ? -1 : this.#open.findLastIndex(({ boundary }) => boundary === bare);
    if (open === closed) return null;
    return { index: Math.max(open, closed), isEnd: closed > open };
  }
  // A boundary of an outer multipart ends the inner ones too.
  #cross({ index, isEnd: isEnd2 }, next) {
    this.#open.length = isEnd2 ? index : index + 1;
    this.#state = isEnd2 ? "between" : "header";
    this.#node = null;
    this.#start = next;
  }
  #enterBody(at, next) {
    const parent = this.#open.at(-1)?.node;
    const defaultType = parent?.type === "multipart/digest" ? "message/rfc822" : "text/plain";
    this.#enter(readPartFields(this.#mail.subarray(this.#start, at), defaultType), next);
  }
  #enter(fields, start) {
    const node = { ...fields, body: null, parts: [] };
    this.#open.at(-1)?.node.parts.push(node);
    this.#root ??= node;
    this.#count++;
    this.#node = node;
    this.#start = start;
    this.#state = "body";
    if (!fields.boundary || !fields.type.startsWith("multipart/")) return;
    if (this.#open.length < this.#maxDepth) this.#open.push({ boundary: encoded(fields.boundary), node });
    else this.#flaws.add("too-deep");
  }
  #finish(at, end) {
    if (this.#state === "header") this.#enterBody(at, at);
    if (this.#state === "body" && this.#node && at > this.#start)
      this.#node.body = this.#mail.subarray(this.#start, end);
  }
};
var encoded = (boundary) => /[^\0-\x7f]/.test(boundary) ? latin13.decode(new TextEncoder().encode(boundary)) : boundary;
function endOfText(mail, at, next) {
  let end = next;
  while (end > at && (mail[end - 1] === LF4 || mail[end - 1] === CR4)) end--;
  while (end > at && (mail[end - 1] === SPACE3 || mail[end - 1] === TAB2)) end--;
  return end;
}
function isEmptyLine(mail, at, next) {
  let start = at;
  while (start < next && mail[start] === CR4) start++;
  return start === next || mail[start] === LF4;
}
function withoutLineBreak(mail, start, at) {
  let end = at;
  if (end > start && mail[end - 1] === LF4) end--;
  return end > start && end < at && mail[end - 1] === CR4 ? end - 1 : end;
}

// src/mail/calendar-reply.ts
var MAX_DEPTH = 10;
var MAX_BYTES = 16 * 1024;
var METHOD = /^method[;:][^\n]{0,100}?\b(?:reply|counter|declinecounter|refresh)\s*$/im;
var isCalendarReply = (raw2) => findParts(raw2, MAX_DEPTH).some(
  (part) => part.type === "text/calendar" && METHOD.test(textOf(part, MAX_BYTES))
);

// src/mail/complaint.ts
var MAX_RECIPIENTS2 = 200;
function readComplaint({ feedback, returned }) {
  const reporter = returned && headerValue(returned, "x-hmxmroriginalrecipient");
  if (!feedback && !reporter) return null;
  const type = feedback ? headerValue(feedback, "feedback-type")?.toLowerCase().trim() : "abuse";
  const told = feedback ? headerValues(feedback, "original-rcpt-to") : [reporter ?? ""];
  return {
    type: /^[\w-]{1,40}$/.test(type ?? "") ? type : "other",
    recipients: told.slice(0, MAX_RECIPIENTS2).flatMap(addressesIn).slice(0, MAX_RECIPIENTS2),
    returned: returned ? describeReturned(returned) : null
  };
}
var addressesIn = (value) => parseAddressList(value.replace(/^rfc822\s*;/i, "")).map(({ address }) => address);
var mayBeComplaint = (headers) => /^complaint about message/i.test(headerValue(headers, "subject") ?? "");

// src/mail/report-parts.ts
var MAX_DEPTH2 = 10;
var MAX_TEXT_BYTES = 256 * 1024;
var MAX_TEXT_LENGTH = 64 * 1024;
var MAX_LINE_LENGTH = 1e3;
var MAX_GROUPS = 500;
var MAX_HEADER_BYTES2 = 256 * 1024;
var STATUS = /* @__PURE__ */ new Set(["message/delivery-status", "message/global-delivery-status"]);
var FEEDBACK = /* @__PURE__ */ new Set(["message/feedback-report"]);
var RETURNED = /* @__PURE__ */ new Set([
  "message/rfc822",
  "message/global",
  "message/global-headers",
  "message/rfc822-headers",
  "text/rfc822-headers",
  "text/rfc822-header",
  "text/rfc822"
]);
var MAIL_FIELD = /^(?:>\s?)?(received|return-path|message-id|mime-version|date|from|to|subject|dkim-signature|content-type|delivered-to|reply-to|x-[\w-]{1,60}) ?:/i;
var TELLING_FIELD = /^(?:received|return-path|message-id|mime-version|dkim-signature)$/;
var LOOK_AHEAD = 40;
var encoder = new TextEncoder();
function readReportParts(raw2) {
  const outer = readParts(raw2);
  if (outer.status.length > 0 || !outer.message) return { ...outer, isEnclosed: false };
  const type = outer.returned && headerValue(outer.returned, "content-type");
  if (!type || !/^multipart\/report/i.test(type)) return { ...outer, isEnclosed: false };
  return { ...readParts(outer.message), isEnclosed: true };
}
function readParts(raw2) {
  const parts = findParts(raw2, MAX_DEPTH2);
  const first = (types) => parts.find(({ type, body }) => types.has(type) && body);
  const { lines, returned } = cutReturned(wordsOf(parts) || wholeText(raw2));
  const status = first(STATUS);
  const feedback = first(FEEDBACK);
  const about = first(RETURNED);
  return {
    message: about?.type === "message/rfc822" && about.encoding === "identity" ? about.body : null,
    lines,
    status: status ? groupsOf(decoded(status)) : groupsIn(lines),
    feedback: feedback ? headerOf(decoded(feedback)) : null,
    returned: about ? headerOf(contentOf(about, MAX_TEXT_BYTES)) : returned ?? headerIn(parts)
  };
}
function groupsOf(text) {
  return text.split(/\r?\n[\t ]*\r?\n/, MAX_GROUPS).map((group) => headerOf(group)).filter((fields) => fields.length > 0);
}
var groupsIn = (lines) => lines.some((line) => /^(?:final|original)-recipient:/i.test(line)) ? groupsOf(lines.join("\n")) : [];
function headerIn(parts) {
  for (const part of parts.slice(1, 10)) {
    if (part.type !== "text/plain" || !part.body) continue;
    const text = decoded(part);
    if (isHeaderAt(text.slice(0, 8192).split(/\r?\n/), 0)) return headerOf(text);
  }
  return null;
}
function wordsOf(parts) {
  const ofType = (type) => parts.find((part) => part.type === type && part.body);
  const plain = ofType("text/plain");
  const text = plain ? decoded(plain) : "";
  if (text.trim()) return text.slice(0, MAX_TEXT_LENGTH);
  const html = ofType("text/html");
  return html ? htmlToText(decoded(html), MAX_TEXT_LENGTH) : "";
}
function wholeText(raw2) {
  const { bodyStart } = readHeaders(raw2, 0);
  return new TextDecoder().decode(raw2.subarray(bodyStart, bodyStart + MAX_TEXT_LENGTH));
}
function cutReturned(text) {
  const lines = text.split(/\r?\n/).map((line) => line.slice(0, MAX_LINE_LENGTH));
  const header = lines.findIndex((line, at) => MAIL_FIELD.test(line) && isHeaderAt(lines, at));
  const marker = lines.findIndex((line, at) => at > 0 && RETURNED_BELOW.test(line.slice(0, 200)));
  const ends = [header, marker].filter((at) => at >= 0);
  const end = ends.length > 0 ? Math.min(...ends) : lines.length;
  if (header < 0) return { lines: lines.slice(0, end), returned: null };
  const below = lines.slice(header, header + 2e3).map((line) => line.replace(/^>\s?/, ""));
  return { lines: lines.slice(0, end), returned: headerOf(below.join("\n")) };
}
function isHeaderAt(lines, at) {
  const names = /* @__PURE__ */ new Set();
  for (let i = at; i < Math.min(lines.length, at + LOOK_AHEAD); i++) {
    const line = lines[i];
    const name = MAIL_FIELD.exec(line)?.[1]?.toLowerCase();
    if (name) names.add(name);
    else if (!/^(?:>\s?)?(?:[\t ]+\S|[\w-]{1,60}:)/.test(line)) break;
  }
  return names.size >= 3 && [...names].some((name) => TELLING_FIELD.test(name));
}
var headerOf = (source) => readHeaders(typeof source === "string" ? encoder.encode(source) : source, MAX_HEADER_BYTES2).fields;
var decoded = (part) => textOf(part, MAX_TEXT_BYTES);

// src/mail/machine.ts
var fromCalendar = { autoSubmitted: "auto-generated", autoReason: "notification" };
function describeMachine(raw2, fields, text, mailFrom) {
  const headers = mailFrom === void 0 ? fields : [{ name: "Return-Path", value: `<${mailFrom}>` }, ...fields];
  const isReport = mayBeReport(headers) || mayBeComplaint(headers);
  const parts = isReport ? readReportParts(raw2) : null;
  const complaint = parts && readComplaint(parts);
  const bounce = parts && !complaint ? readBounce(headers, parts) : null;
  const origin = detectOrigin(headers, { bounce, complaint, text });
  const isPersons = origin.autoSubmitted === "no";
  return { bounce, complaint, ...isPersons && !text.trim() && isCalendarReply(raw2) ? fromCalendar : origin };
}

// src/mail/mail-date.ts
var MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
var DATE = /(\d{1,2})[ -]+([a-z]{3})[a-z]*[ -]+(\d{2,4})[ ,]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(.*)$/i;
var ASCTIME = /([a-z]{3}) +(\d{1,2}) +(\d{1,2}):(\d{2}):(\d{2}) +(?:([a-z]{1,5}) +)?(\d{4})/i;
var ISO = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;
var OBSOLETE_ZONES = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7
};
function parseMailDate(value) {
  const text = value.slice(0, 120).replace(/\s+/g, " ").trim();
  const time = rfcTime(text) ?? asctime(text) ?? isoTime(text);
  if (time === null || !(time >= 0 && time < 2534023008e5)) return null;
  return new Date(time).toISOString();
}
function rfcTime(text) {
  const match = DATE.exec(text);
  if (!match) return null;
  const [, day, month, year, hour, minute, second, zone] = match;
  return utc(Number(year), String(month), [day, hour, minute, second ?? 0].map(Number), zoneMs(zone ?? ""));
}
function asctime(text) {
  const match = ASCTIME.exec(text);
  if (!match) return null;
  const [, month, day, hour, minute, second, zone, year] = match;
  return utc(Number(year), String(month), [day, hour, minute, second].map(Number), zoneMs(zone ?? ""));
}
function isoTime(text) {
  const match = ISO.exec(text);
  if (!match) return null;
  const time = Date.parse(match[3] ? text : `${text}Z`);
  return Number.isNaN(time) ? null : time;
}
function utc(year, monthName, numbers, offsetMs) {
  const [day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase());
  if (month < 0 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  return Date.UTC(fullYear(year), month, day, hour, minute, second) - offsetMs;
}
function fullYear(year) {
  if (year >= 1e3) return year;
  return year < 50 ? year + 2e3 : year + 1900;
}
function zoneMs(zone) {
  const numeric = /([+-])(\d{2}):?(\d{2})/.exec(zone);
  if (numeric) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3]);
    return (numeric[1] === "-" ? -minutes : minutes) * 6e4;
  }
  const name = /[a-z]{3}/i.exec(zone)?.[0].toLowerCase() ?? "";
  return (OBSOLETE_ZONES[name] ?? 0) * 36e5;
}

// src/mail/text-lists.ts
var BULLET = /^([\t ]{0,12})([-*•◦▪])[\t ]+(?=\S)/;
var NUMBER = /^([\t ]{0,12})(\d{1,3})[.)][\t ]+(?=\S)/;
function blocksOf(lines) {
  const blocks = [];
  let plain = [];
  for (let at = 0; at < lines.length; ) {
    const { list: list2, next } = listAt(lines, at, 2);
    if (!list2) plain.push(lines[at++]);
    else {
      if (plain.length > 0) blocks.push({ lines: plain });
      blocks.push({ list: list2 });
      plain = [];
      at = next;
    }
  }
  return plain.length > 0 ? [...blocks, { lines: plain }] : blocks;
}
function markOf(line) {
  if (line === void 0) return null;
  const match = BULLET.exec(line) ?? NUMBER.exec(line);
  if (!match) return null;
  const [whole, blanks = "", sign = ""] = match;
  const isNumber = /\d/.test(sign);
  return {
    indent: blanks.replaceAll("	", "    ").length,
    kind: isNumber ? "1" : sign,
    number: isNumber ? Number(sign) : null,
    text: line.slice(whole.length)
  };
}
function tightened(lines) {
  const kept = [];
  let empty = [];
  for (const line of lines) {
    if (!line.trim()) empty.push(line);
    else {
      const [before, mark2] = [markOf(kept.at(-1)), markOf(line)];
      const isNext = before !== null && mark2 !== null && isNextOf(mark2, before, 1);
      kept.push(...isNext ? [] : empty, line);
      empty = [];
    }
  }
  return [...kept, ...empty];
}
function listAt(lines, start, leastItems) {
  const first = markOf(lines[start]);
  if (!first) return { list: null, next: start };
  const items = [];
  let at = start;
  while (at < lines.length) {
    const mark2 = markOf(lines[at]);
    if (mark2 && isNextOf(mark2, first, items.length)) {
      items.push({ lines: [mark2.text], lists: [] });
      at++;
    } else {
      const taken2 = items.length > 0 ? continueItem(items.at(-1), lines, at, first.indent, mark2) : at;
      if (taken2 === at) break;
      at = taken2;
    }
  }
  return items.length >= leastItems ? { list: { first: first.number, items }, next: at } : { list: null, next: start };
}
var isNextOf = ({ indent, kind, number }, first, count) => indent === first.indent && kind === first.kind && (number === null || number === first.number + count);
function continueItem(item, lines, at, indent, mark2) {
  if (mark2 && mark2.indent > indent) {
    const { list: list2, next } = listAt(lines, at, 1);
    if (!list2) return at;
    item.lists.push(list2);
    return next;
  }
  const isIndented = /^[\t ]{2}/.test(lines[at]) && lines[at].search(/\S/) > indent;
  if (mark2 || !isIndented || item.lists.length > 0) return at;
  item.lines.push(lines[at].trim());
  return at + 1;
}

// src/mail/text-to-html.ts
var ESCAPES = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
};
var LINK = /\bhttps?:\/\/[^\s<>"'`\\{}|^]{1,2000}/gi;
var CLOSING = ".,;:!?)]}*_";
function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
}
function textToHtml(text) {
  return tightened(text.replace(/\r\n?/g, "\n").split("\n")).join("\n").split(/\n[\t ]*\n/).map((paragraph) => paragraph.replace(/^\n+/, "").trimEnd()).filter((paragraph) => paragraph.trim()).flatMap((paragraph) => blocksOf(paragraph.split("\n")).map(htmlOfBlock)).join("\n");
}
var htmlOfBlock = (block) => "list" in block ? htmlOfList(block.list) : `<p>${broken(block.lines)}</p>`;
function htmlOfList({ first, items }) {
  const name = first === null ? "ul" : "ol";
  const start = first === null || first === 1 ? "" : ` start="${first}"`;
  const written = items.map(({ lines, lists }) => {
    const within2 = lists.map((list2) => `
${htmlOfList(list2)}
`).join("");
    return `<li>${broken(lines)}${within2}</li>`;
  });
  return `<${name}${start}>
${written.join("\n")}
</${name}>`;
}
var broken = (lines) => linked(lines.join("\n")).replaceAll("\n", "<br>\n");
function linked(text) {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const url = withoutClosing(match[0]);
    html += escapeHtml(text.slice(end, match.index));
    html += `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
    end = match.index + url.length;
  }
  return html + escapeHtml(text.slice(end));
}
function withoutClosing(url) {
  const opened = url.indexOf("(");
  let end = url.length;
  while (end > 0 && CLOSING.includes(url.charAt(end - 1))) {
    if (url[end - 1] === ")" && opened !== -1 && opened < end) break;
    end--;
  }
  return url.slice(0, end);
}

// src/mail/mime.ts
function readMime(raw2, headers, maxDepth, maxTextLength) {
  const { root, flaws } = readPartTree(raw2, maxDepth, headers);
  const { text, html, attachments } = bodyPartsOf(root);
  const hasText = !text.every(isHtml2);
  const hasHtml = html.some(isHtml2);
  return {
    text: hasText ? text.map((part) => asText(part, maxTextLength)).join("") : "",
    html: hasHtml ? html.map(asHtml).join("\n") : null,
    attachments,
    flaws
  };
}
var isHtml2 = ({ type }) => type === "text/html";
function asText(part, maxLength) {
  const text = isHtml2(part) ? htmlToText(textOf(part), maxLength) : textOf(part);
  return text === "" || text.endsWith("\n") ? text : `${text}
`;
}
var asHtml = (part) => isHtml2(part) ? textOf(part) : textToHtml(textOf(part));

// src/mail/quote-phrases.ts
var list = (words) => words.split("|");
var WROTE = list(
  "wrote|writes|said|schrieb|schrieben|geschrieben|schreibt|a \xE9crit|\xE9crit|a ecrit|escribi\xF3|escribio|escribe|ha escrito|va escriure|ha escrit|ha scritto|scrive|escreveu|escreve|schreef|geschreven|schreven|skrev|skriver|skrifa\xF0i|napisa\u0142|napisa\u0142a|napisa\u0142(a)|napisali|napisana przez|pisze|napsal|napsala|napsal(a)|nap\xEDsal|nap\xEDsala|nap\xEDsal(a)|kirjoitti|\u043D\u0430\u043F\u0438\u0441\u0430\u043B|\u043D\u0430\u043F\u0438\u0441\u0430\u043B\u0430|\u043D\u0430\u043F\u0438\u0441\u0430\u043B(\u0430)|\u043F\u0438\u0441\u0430\u043B|\u043F\u0438\u0441\u0430\u043B\u0430|\u043F\u0438\u0441\u0430\u043B\u0438|\u043F\u0438\u0441\u0430\u043B(\u0430)|\u043F\u0438\u0448\u0435\u0442|\u043F\u0438\u0441\u0430\u043B(a)|\u043D\u0430\u043F\u0438\u0448\u0430|\u043D\u0430\u043F\u0438\u0441\u0430\u0432|\u043D\u0430\u043F\u0438\u0441\u0430\u0432(\u043B\u0430)|\u043F\u0438\u0448\u0435|\u0458\u0435 \u043D\u0430\u043F\u0438\u0441\u0430\u043E/\u043B\u0430|napisao je|napisala je|napisao/la je|je napisal|je napisala|napisala|napisal|yazd\u0131|\u015Funu yazd\u0131|\u015Funlar\u0131 yazd\u0131|\xEDrta|ezt \xEDrta|a scris|\u03AD\u03B3\u03C1\u03B1\u03C8\u03B5|\u0111\xE3 vi\u1EBFt|menulis|kirjutas|ra\u0161\u0117|para\u0161\u0117|rakst\u012Bja|\u05DB\u05EA\u05D1|\u05DB\u05EA\u05D1\u05D4|\u05DB\u05EA\u05D1/\u05D4|\u0643\u062A\u0628|\u0643\u062A\u0628\u062A|\u0643\u062A\u0628/\u0643\u062A\u0628\u062A|\u0646\u0648\u0634\u062A|\u0928\u0947 \u0932\u093F\u0916\u093E|\u0E40\u0E02\u0E35\u0E22\u0E19|\u0E40\u0E02\u0E35\u0E22\u0E19\u0E27\u0E48\u0E32|\u306E\u30E1\u30FC\u30EB|\u306F\u66F8\u304D\u307E\u3057\u305F|\u66F8\u304D\u307E\u3057\u305F|\u3055\u3093\u304C\u66F8\u304D\u307E\u3057\u305F|\u3055\u3093\u306E\u30E1\u30C3\u30BB\u30FC\u30B8|\u5199\u9053|\u5BEB\u9053|\u7F16\u5199|\u64B0\u5199|\uB2D8\uC774 \uC791\uC131|\uC791\uC131"
);
var ON = list(
  "on|at|am|le|el|il|il giorno|em|no dia|a|op|den|p\xE5|tirsdag|onsdag|w dniu|dnia|dne|d\u0148a|p\xE5|ti|ons|tors|fre|l\xF6r|s\xF6n|m\xE5n|\u0432|\u043D\u0430|on|\u03C3\u03C4\u03B9\u03C2|v\xE0o|pada|2|\u5728|\u4E8E|\u65BC|il|de|der|fra|fr\xE5n|von|from|van|da|dana|od|\u043E\u0442|pe|\xEEn|tarihinde|cuma|kl.|klockan|kl|\u05D1|\u0641\u064A|\u0E43\u0E19\u0E27\u0E31\u0E19\u0E17\u0E35\u0E48|missatge de"
);
var QUOTING = list(
  "quoting|zitat von|zitiere|citando a|citando|cita de|citation de|citat fr\xE5n|citerar|citerer|citat fra|citeren|citaat van|cytowanie|\u0446\u0438\u0442\u0438\u0440\u0443\u044E|\u0446\u0438\u0442\u0430\u0442\u0430 \u043E\u0442|mensaje de|message de|messaggio di|mensagem de|nachricht von|bericht van|wiadomo\u015B\u0107 od"
);
var ORIGINAL_MESSAGE = list(
  "original message|original email|original e-mail|urspr\xFCngliche nachricht|ursprungliche nachricht|urspr\xFCngliche mail|urspr\xFCngliche e-mail|original-nachricht|originalnachricht|original nachricht|message d'origine|message d\u2019origine|mail original|message original|e-mail original|courriel original|message initial|mensaje original|correo original|missatge original|messaggio originale|messaggio origina|mensagem original|oorspronkelijk bericht|oorspronkelijke bericht|originele bericht|origineel bericht|ursprungligt meddelande|originalmeddelande|oprindelig meddelelse|oprindelig besked|original besked|opprinnelig melding|original melding|upprunaleg skilabo\xF0|wiadomo\u015B\u0107 oryginalna|oryginalna wiadomo\u015B\u0107|p\u016Fvodn\xED zpr\xE1va|p\u016Fvodn\xED e-mail|p\u016Fvodn\xED email|p\xF4vodn\xE1 spr\xE1va|p\xF4vodn\xFD e-mail|eredeti \xFCzenet|\u0438\u0441\u0445\u043E\u0434\u043D\u043E\u0435 \u0441\u043E\u043E\u0431\u0449\u0435\u043D\u0438\u0435|\u043E\u0440\u0438\u0433\u0438\u043D\u0430\u043B\u044C\u043D\u043E\u0435 \u0441\u043E\u043E\u0431\u0449\u0435\u043D\u0438\u0435|original-mail|reply message|reply to message|alkuper\xE4inen viesti|algne kiri|orijinal mesaj|\xF6zg\xFCn ileti|\u03B1\u03C1\u03C7\u03B9\u03BA\u03CC \u03BC\u03AE\u03BD\u03C5\u03BC\u03B1|mesaj original|mesajul original|mesajul ini\u0163ial|mesajul ini\u021Bial|\u043E\u0440\u0438\u0433\u0456\u043D\u0430\u043B\u044C\u043D\u0435 \u043F\u043E\u0432\u0456\u0434\u043E\u043C\u043B\u0435\u043D\u043D\u044F|\u0432\u0438\u0445\u0456\u0434\u043D\u0435 \u043F\u043E\u0432\u0456\u0434\u043E\u043C\u043B\u0435\u043D\u043D\u044F|\u043E\u0440\u0438\u0433\u0438\u043D\u0430\u043B\u043D\u043E \u0441\u044A\u043E\u0431\u0449\u0435\u043D\u0438\u0435|\u043E\u0440\u0438\u0433\u0438\u043D\u0430\u043B\u043D\u0430 \u043F\u043E\u0440\u0443\u043A\u0430|originalna poruka|izvorna poruka|izvirno sporo\u010Dilo|pradinis lai\u0161kas|s\u0101kotn\u0113jais zi\u0146ojums|\u05D4\u05D5\u05D3\u05E2\u05D4 \u05DE\u05E7\u05D5\u05E8\u05D9\u05EA|\u05D4\u05D4\u05D5\u05D3\u05E2\u05D4 \u05D4\u05DE\u05E7\u05D5\u05E8\u05D9\u05EA|\u0627\u0644\u0631\u0633\u0627\u0644\u0629 \u0627\u0644\u0623\u0635\u0644\u064A\u0629|\u0631\u0633\u0627\u0644\u0629 \u0623\u0635\u0644\u064A\u0629|\u067E\u06CC\u0627\u0645 \u0627\u0635\u0644\u06CC|th\u01B0 g\u1ED1c|tin nh\u1EAFn g\u1ED1c|pesan asli|mesej asal|\u0E02\u0E49\u0E2D\u0E04\u0E27\u0E32\u0E21\u0E15\u0E49\u0E19\u0E09\u0E1A\u0E31\u0E1A|\u0E02\u0E49\u0E2D\u0E04\u0E27\u0E32\u0E21\u0E40\u0E14\u0E34\u0E21|\u092E\u0942\u0932 \u0938\u0902\u0926\u0947\u0936|\u539F\u59CB\u90AE\u4EF6|\u539F\u59CB\u90F5\u4EF6|\u90AE\u4EF6\u539F\u4EF6|\u539F\u90AE\u4EF6|\u539F\u59CB\u8A0A\u606F|\u5143\u306E\u30E1\u30C3\u30BB\u30FC\u30B8|\u30AA\u30EA\u30B8\u30CA\u30EB\u30E1\u30C3\u30BB\u30FC\u30B8|original message follows|\uC6D0\uBCF8 \uBA54\uC2DC\uC9C0|\uC6D0\uBCF8 \uBA54\uC77C|\uC6D0\uBCF8 \uC774\uBA54\uC77C|\uC6D0\uBCF8\uBA54\uC2DC\uC9C0"
);
var FORWARDED_MESSAGE = list(
  "forwarded message|begin forwarded message|forwarded by|weitergeleitete nachricht|weitergeleitete mail|message transf\xE9r\xE9|d\xE9but du message r\xE9exp\xE9di\xE9|d\xE9but du message transf\xE9r\xE9|message r\xE9exp\xE9di\xE9|mensaje reenviado|inicio del mensaje reenviado|messaggio inoltrato|inizio messaggio inoltrato|mensagem encaminhada|mensagem reencaminhada|in\xEDcio da mensagem encaminhada|doorgestuurd bericht|begin doorgestuurd bericht|vidarebefordrat meddelande|vidarebefordrat brev|videresendt besked|videresendt meddelelse|videresendt melding|przekazana wiadomo\u015B\u0107|wiadomo\u015B\u0107 przekazana|\u043F\u0435\u0440\u0435\u0441\u044B\u043B\u0430\u0435\u043C\u043E\u0435 \u0441\u043E\u043E\u0431\u0449\u0435\u043D\u0438\u0435|\u043D\u0430\u0447\u0430\u043B\u043E \u043F\u0435\u0440\u0435\u0430\u0434\u0440\u0435\u0441\u043E\u0432\u0430\u043D\u043D\u043E\u0433\u043E \u0441\u043E\u043E\u0431\u0449\u0435\u043D\u0438\u044F|\u043F\u0435\u0440\u0435\u0441\u043B\u0430\u043D\u043D\u043E\u0435 \u0441\u043E\u043E\u0431\u0449\u0435\u043D\u0438\u0435|p\u0159eposlan\xE1 zpr\xE1va|\u8F6C\u53D1\u7684\u90AE\u4EF6|\u8F6C\u53D1\u90AE\u4EF6|\u8F49\u5BC4\u7684\u90F5\u4EF6|\u8EE2\u9001\u30E1\u30C3\u30BB\u30FC\u30B8|\u8EE2\u9001\u3055\u308C\u305F\u30E1\u30C3\u30BB\u30FC\u30B8|anfang der weitergeleiteten nachricht|beginn der weitergeleiteten nachricht"
);
var LABELS = {
  from: list(
    "from|von|de|da|van|fr\xE5n|fra|fr\xE1|od|\u043E\u0442|\u0432\u0456\u0434|\u043E\u0442 \u043A\u043E\u0433\u043E|\u53D1\u4EF6\u4EBA|\u767C\u4EF6\u4EBA|\u5BC4\u4EF6\u8005|\u5BC4\u4EF6\u4EBA|\u5DEE\u51FA\u4EBA|\u9001\u4FE1\u8005|\u53D1\u4FE1\u4EBA|l\xE4hett\xE4j\xE4|kimden|g\xF6nderen|exp\xE9diteur|mittente|afzender|afsender|\uBCF4\uB0B8 \uC0AC\uB78C|\uBCF4\uB0B8\uC0AC\uB78C|\uBCF4\uB0B8\uC774|\u03B1\u03C0\u03CC|felad\xF3|de la|\u05DE\u05D0\u05EA|\u0645\u0646|\u0627\u0632|t\u1EEB|\u0E08\u0E32\u0E01|dari|daripada|\u0161alje|po\u0161iljatelj|saatja|nuo|no|\u092A\u094D\u0930\u0947\u0937\u0915|from address"
  ),
  date: list(
    "sent|date|sent at|gesendet|gesendet am|datum|envoy\xE9|envoy\xE9 le|enviado|enviada|enviado el|enviada em|enviado em|enviat|fecha|fecha de env\xEDo|data|inviato|data invio|verzonden|verzonden op|skickat|skickat den|sendt|dato|sent den|wys\u0142ano|data wys\u0142ania|odesl\xE1no|odoslan\xE9|d\xE1tum|\u043E\u0442\u043F\u0440\u0430\u0432\u043B\u0435\u043D\u043E|\u0434\u0430\u0442\u0430|\u043D\u0430\u0434\u0456\u0441\u043B\u0430\u043D\u043E|\u0438\u0437\u043F\u0440\u0430\u0442\u0435\u043D\u043E|\u53D1\u9001\u65F6\u95F4|\u53D1\u4EF6\u65F6\u95F4|\u767C\u9001\u6642\u9593|\u65E5\u671F|\u6642\u9593|\u65F6\u95F4|\u5BC4\u4EF6\u65E5\u671F|\u9001\u4FE1\u65E5\u6642|\u9001\u4FE1|\u65E5\u6642|\u65E5\u4ED8|l\xE4hetetty|p\xE4iv\xE4m\xE4\xE4r\xE4|p\xE4iv\xE4ys|g\xF6nderildi|g\xF6nderme tarihi|g\xF6nderilme tarihi|tarih|\uBCF4\uB0B8 \uB0A0\uC9DC|\uBCF4\uB0B8\uB0A0\uC9DC|\uB0A0\uC9DC|\u03C3\u03C4\u03AC\u03BB\u03B8\u03B7\u03BA\u03B5|\u03B7\u03BC\u03B5\u03C1\u03BF\u03BC\u03B7\u03BD\u03AF\u03B1|elk\xFCldve|trimis|dat\u0103|\u05E0\u05E9\u05DC\u05D7|\u05EA\u05D0\u05E8\u05D9\u05DA|\u062A\u0645 \u0627\u0644\u0625\u0631\u0633\u0627\u0644|\u062A\u0627\u0631\u064A\u062E \u0627\u0644\u0625\u0631\u0633\u0627\u0644|\u0627\u0644\u062A\u0627\u0631\u064A\u062E|\u062A\u0627\u0631\u06CC\u062E|\u0111\xE3 g\u1EEDi|ng\xE0y|ng\xE0y g\u1EEDi|\u0E2A\u0E48\u0E07|\u0E27\u0E31\u0E19\u0E17\u0E35\u0E48|\u0E2A\u0E48\u0E07\u0E40\u0E21\u0E37\u0E48\u0E2D|dikirim|tanggal|dihantar|poslano|saadetud|kuup\xE4ev|i\u0161si\u0173sta|nos\u016Bt\u012Bts|sent on|\u0926\u093F\u0928\u093E\u0902\u0915"
  ),
  to: list(
    "to|an|\xE0|a|para|per|per a|aan|till|til|do|komu|\u043A\u043E\u043C\u0443|\u0434\u043E|\u6536\u4EF6\u4EBA|\u6536\u4EF6\u8005|\u5B9B\u5148|vastaanottaja|kime|al\u0131c\u0131|destinataire|destinatario|\uBC1B\uB294 \uC0AC\uB78C|\uBC1B\uB294\uC0AC\uB78C|\u03C0\u03C1\u03BF\u03C2|c\xEDmzett|c\u0103tre|catre|\u05D0\u05DC|\u0625\u0644\u0649|\u0627\u0644\u0649|\u0628\u0647|\u0111\u1EBFn|t\u1EDBi|\u0E16\u0E36\u0E07|kepada|untuk|prima|za|adressaat|kellele|kam|ontvanger|modtager|mottaker|\u092A\u094D\u0930\u093E\u092A\u094D\u0924\u0915\u0930\u094D\u0924\u093E|recipient|recipients"
  ),
  subject: list(
    "subject|betreff|objet|asunto|assumpte|oggetto|assunto|onderwerp|\xE4mne|emne|efni|temat|p\u0159edm\u011Bt|predmet|\u0442\u0435\u043C\u0430|\u043E\u0442\u043D\u043E\u0441\u043D\u043E|\u4E3B\u9898|\u4E3B\u984C|\u4E3B\u65E8|\u6807\u9898|\u6A19\u984C|\u4EF6\u540D|aihe|konu|\uC81C\uBAA9|\u03B8\u03AD\u03BC\u03B1|t\xE1rgy|subiect|\u05E0\u05D5\u05E9\u05D0|\u0627\u0644\u0645\u0648\u0636\u0648\u0639|\u0645\u0648\u0636\u0648\u0639|ch\u1EE7 \u0111\u1EC1|\u0E40\u0E23\u0E37\u0E48\u0E2D\u0E07|\u0E2B\u0E31\u0E27\u0E40\u0E23\u0E37\u0E48\u0E2D\u0E07|subjek|perihal|judul|zadeva|teema|t\u0113ma|\u0935\u093F\u0937\u092F"
  ),
  copy: list(
    "cc|bcc|copie|copia|kopie|kopia|kopi|dw|\u043A\u043E\u043F\u0438\u044F|\u043A\u043E\u043F\u0456\u044F|\u6284\u9001|\u526F\u672C|\u53C3\u8003|reply-to|antwort an|r\xE9pondre \xE0|importance|importancia|importanza|wichtigkeit|priorit\xE4t|priority|attachments|anlagen|anh\xE4nge|pi\xE8ces jointes|adjuntos|allegati|anexos|bijlagen|m\xE1solatot kap|\u03BA\u03BF\u03B9\u03BD\u03BF\u03C0\u03BF\u03AF\u03B7\u03C3\u03B7|bilgi|vs|\uCC38\uC870|\u05E2\u05D5\u05EA\u05E7|\u0646\u0633\u062E\u0629|\u0E2A\u0E33\u0E40\u0E19\u0E32|pd|k\xF3pia|ek|masolat|kohde|sensitivity"
  )
};
var SENT_FROM = list(
  "sent from|sent with|sent via|sent using|sent by my|composed on|von meinem|von meiner|gesendet von|gesendet mit|gesendet \xFCber|gesendet aus|versendet mit|diese nachricht wurde von meinem|diese nachricht wurde mit|envoy\xE9 de mon|envoy\xE9 de ma|envoy\xE9 depuis|envoy\xE9 \xE0 partir|envoy\xE9 avec|envoy\xE9 via|provenance :|provenance:|cordialement, envoy\xE9|enviado desde|enviado con|enviado mediante|enviat des|enviat amb|enviado do|enviado de mi|enviado a partir d|enviado via|enviado pelo|enviado com|enviada do|inviato da|inviato dal|inviato dalla|inviato con|inviato tramite|verzonden vanaf|verzonden vanuit|verstuurd vanuit|verstuurd vanaf|verzonden met|verstuurd met|verzonden via|verstuurd via|skickat fr\xE5n|skickades fr\xE5n|skickat med|skickat via|sendt fra|sendt med|sendt via|l\xE4hetetty|wys\u0142ane z|wys\u0142ano z|wys\u0142ane za pomoc|odesl\xE1no z|odoslan\xE9 z|odoslan\xE9 pomocou|odesl\xE1no pomoc\xED|elk\xFCldve|k\xFCldve|\u043E\u0442\u043F\u0440\u0430\u0432\u043B\u0435\u043D\u043E \u0441|\u043E\u0442\u043F\u0440\u0430\u0432\u043B\u0435\u043D\u043E \u0438\u0437|\u043E\u0442\u043F\u0440\u0430\u0432\u043B\u0435\u043D\u043E \u043E\u0442|\u043E\u0442\u043F\u0440\u0430\u0432\u043B\u0435\u043D\u043E \u0447\u0435\u0440\u0435\u0437|\u043D\u0430\u0434\u0456\u0441\u043B\u0430\u043D\u043E \u0437|\u043D\u0430\u0434\u0456\u0441\u043B\u0430\u043D\u043E \u0447\u0435\u0440\u0435\u0437|\u0438\u0437\u043F\u0440\u0430\u0442\u0435\u043D\u043E \u043E\u0442|\u0438\u0437\u043F\u0440\u0430\u0442\u0435\u043D\u043E \u0441|\u03C3\u03C4\u03AC\u03BB\u03B8\u03B7\u03BA\u03B5 \u03B1\u03C0\u03CC|\u05E0\u05E9\u05DC\u05D7 \u05DE|\u05EA\u05DD \u05D4\u05D9\u05E9\u05DC\u05D7|\u062A\u0645 \u0627\u0644\u0625\u0631\u0633\u0627\u0644 \u0645\u0646|\u062A\u0645 \u0625\u0631\u0633\u0627\u0644\u0647 \u0645\u0646|\u0623\u064F\u0631\u0633\u0644\u062A \u0645\u0646|\u0623\u0631\u0633\u0644\u062A \u0645\u0646|\u0627\u0631\u0633\u0627\u0644 \u0634\u062F\u0647 \u0627\u0632|trimis de pe|trimis din|trimis de la|\u0111\u01B0\u1EE3c g\u1EEDi t\u1EEB|g\u1EEDi t\u1EEB|dikirim dari|dihantar dari|\u0E2A\u0E48\u0E07\u0E08\u0E32\u0E01|\u0E2A\u0E48\u0E07\u0E21\u0E32\u0E08\u0E32\u0E01|poslano s|poslano z|poslano iz|poslato sa|\u043F\u043E\u0441\u043B\u0430\u0442\u043E \u0441\u0430|saadetud minu|i\u0161si\u0173sta i\u0161|nos\u016Bt\u012Bts no|\u53D1\u81EA\u6211\u7684|\u53D1\u81EA|\u767C\u81EA|\u5F9E\u6211\u7684|\u6765\u81EA\u6211\u7684|\u5F9E iphone|\u4ECE\u6211\u7684|iphone\u2019umdan|\uB098\uC758|\u092E\u0947\u0930\u0947"
);
var SENT_FROM_END = list(
  "\u304B\u3089\u9001\u4FE1|\u304B\u3089\u9001\u4FE1\u3055\u308C\u307E\u3057\u305F|gesendet|versendet|verschickt|g\xF6nderildi|g\xF6nderilmi\u015Ftir|\uC5D0\uC11C \uBCF4\uB0C4|\uC5D0\uC11C \uBCF4\uB0C8\uC2B5\uB2C8\uB2E4|\uC5D0\uC11C \uC804\uC1A1|\u53D1\u9001|\u767C\u9001|\u50B3\u9001|\u5BC4\u51FA|\u092D\u0947\u091C\u093E \u0917\u092F\u093E"
);
var GET = list(
  "get|download|try|holen sie sich|laden sie|herunterladen|t\xE9l\xE9charger|t\xE9l\xE9chargez|obtenez|obtenir|obtener|obtenga|descargar|descarga|obter|obtenha|baixar|scarica|ottieni|downloaden|h\xE4mta|hent|f\xE5|skaff|hanki|lataa|pobierz|z\xEDskat|z\xEDskejte|st\xE1hnout|z\xEDska\u0165|stiahnu\u0165|let\xF6lt\xE9s|t\xF6ltse|edinin|indirin|\u0441\u043A\u0430\u0447\u0430\u0442\u044C|\u0441\u043A\u0430\u0447\u0430\u0439\u0442\u0435|\u0437\u0430\u0432\u0430\u043D\u0442\u0430\u0436\u0438\u0442\u0438|\u043E\u0442\u0440\u0438\u043C\u0430\u0439\u0442\u0435|\u0438\u0437\u0442\u0435\u0433\u043B\u0435\u0442\u0435|\u0432\u0437\u0435\u043C\u0435\u0442\u0435|\u03BB\u03AE\u03C8\u03B7|\u03BA\u03B1\u03C4\u03B5\u03B2\u03AC\u03C3\u03C4\u03B5|\u05D4\u05D5\u05E8\u05D3|\u05D4\u05D5\u05E8\u05D3\u05EA|\u0627\u0644\u062D\u0635\u0648\u0644|\u0627\u062D\u0635\u0644|desc\u0103rca\u021Bi|ob\u021Bine\u021Bi|t\u1EA3i|dapatkan|unduh|\u0E14\u0E32\u0E27\u0E19\u0E4C\u0E42\u0E2B\u0E25\u0E14|nabavite|preuzmite|\u3092\u5165\u624B|\u83B7\u53D6|\u53D6\u5F97|\u4E0B\u8F7D|\u4E0B\u8F09|\uB2E4\uC6B4\uB85C\uB4DC|\uC5D0 \uB300\uD55C|outlook voor|outlook for|outlook f\xFCr|outlook pour|outlook para|outlook per|outlook f\xF6r|outlook til"
);
var DEVICES = /outlook|blue ?mail|spark\b|edison|aqua ?mail|typeapp|proton|yahoo|gmail|gmx|iphone|ipad|android|galaxy|samsung|smartphone|mobil|mobile|blackberry|huawei|xiaomi|windows|k-9|fairemail|телефон|手机|手機|スマートフォン|携帯/i;
var PLATFORMS = /\b(?:ios|android|iphone|ipad|windows|mac|mobile)\b/i;
var EXCUSES = /(?:please |kindly )?(?:excuse|pardon|forgive)\b.{0,60}|bitte (?:entschuldige|verzeih).{0,60}|(?:veuillez |merci de m['’])(?:excuse|pardonne).{0,60}|(?:disculp|perdon)\p{L}{1,5}.{0,60}|swiss[- ]based encrypted email|secure email/iu;

// src/mail/marked-lines.ts
var mark = {
  /** It has more than white space. */
  written: 1,
  /** It begins with white space. */
  indented: 2,
  /** What it begins with, but for white space, is a dash or the like. */
  dash: 4,
  /** A `>` stands in it. */
  angle: 8,
  colon: 16,
  /** It ends as introductions of quotes do. */
  end: 32
};
var DASHES = "-_=*~\u2010-\u2015\u2500";
var SPACE4 = /\s/;
var DASH2 = new RegExp(`[${DASHES}]`);
var LAST = new Set(
  [...WROTE, "\u306E\u30E1\u30FC\u30EB", "\u5199\u9053", "\u5BEB\u9053", "\uC791\uC131", ...":\uFF1A*_-\u200E\u200F\u202C\u2069"].flatMap(
    (word) => [word.toLowerCase(), word.toUpperCase()].map((written) => written.charCodeAt(written.length - 1))
  )
);
var isPlain = Array.from({ length: 128 }, (_, code) => /[a-z\d]/i.test(String.fromCharCode(code)));
var isSpace = (line, at) => !isPlain[line.charCodeAt(at)] && SPACE4.test(line[at]);
var isDash = (line, at) => !isPlain[line.charCodeAt(at)] && DASH2.test(line[at]);
function marksOf(line) {
  let last = line.length - 1;
  while (last >= 0 && isSpace(line, last)) last--;
  if (last < 0) return 0;
  let first = 0;
  while (isSpace(line, first)) first++;
  let marks = mark.written;
  if (first > 0) marks |= mark.indented;
  if (isDash(line, first)) marks |= mark.dash;
  if (line.includes(">")) marks |= mark.angle;
  if (line.includes(":") || line.includes("\uFF1A")) marks |= mark.colon;
  if (LAST.has(line.charCodeAt(last))) marks |= mark.end;
  return marks;
}
var MarkedLines = class _MarkedLines {
  texts;
  #marks;
  constructor(texts, marks) {
    this.texts = texts;
    this.#marks = marks;
  }
  /** Takes a text apart at its line ends, of whatever kind. */
  static of(text) {
    const texts = (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text).split("\n");
    const marks = new Uint8Array(texts.length);
    for (let at = 0; at < texts.length; at++) marks[at] = marksOf(texts[at]);
    return new _MarkedLines(texts, marks);
  }
  get length() {
    return this.texts.length;
  }
  /** Empty beyond the ends. */
  text(at) {
    return this.texts[at] ?? "";
  }
  /** Whether a line has any of some marks; those beyond the ends have none. */
  has(at, marks) {
    return at < this.length && (this.#marks[at] & marks) !== 0;
  }
  /** Whether there is nothing in a line, or no line. */
  isBlank(at) {
    return !this.has(at, mark.written);
  }
  /** The first line that is not blank, from one on; the number of lines where there is none. */
  nextWritten(start) {
    let at = start;
    while (at < this.length && this.isBlank(at)) at++;
    return Math.min(at, this.length);
  }
  /** The lines before one. */
  until(end) {
    return end >= this.length ? this : new _MarkedLines(this.texts.slice(0, end), this.#marks);
  }
};

// src/mail/quote-lines.ts
var MAX_ATTRIBUTION_LINES = 4;
var MAX_LINE_LENGTH2 = 500;
var MAX_BLOCK_LINES = 12;
var escaped = (words) => [...words].sort((one, other) => other.length - one.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
var VERB_LAST = new RegExp(
  `(?:^|[^\\p{L}])(?:${escaped(WROTE)}|[^\\s]{0,40}(?:\u306E\u30E1\u30FC\u30EB|\u5199\u9053|\u5BEB\u9053|\uC791\uC131))\\s?[:\uFF1A]?$`,
  "u"
);
var VERB_AND_NAME = new RegExp(`(?:^|[^\\p{L}])(?:${escaped(WROTE)})[^\\p{L}].{0,200}[:\uFF1A]$`, "u");
var QUOTES = new RegExp(`^(?:${escaped(QUOTING)})\\s.{0,200}[:\uFF1A]$`, "u");
var STARTS = new RegExp(`^(?:(?:${escaped(ON)})[\\s,]|\\d|[\\p{L}]{2,12}[.,]{1,2}\\s)`, "u");
var HAS_TIME = /(?<!\p{Nd})\p{Nd}{1,2}(?:[:.h٫]|\s?h\s?)\p{Nd}{2}(?!\p{Nd})/u;
var HAS_DAY = /\p{Nd}{1,4}[-/.]\s?\p{Nd}{1,2}[-/.]\s?\p{Nd}{1,4}|(?<!\d)(?:19|20|25)\d\d(?!\d)|(?<!\p{Nd})[٠-٩۰-۹०-९๐-๙]{4}(?!\p{Nd})|\d년|\d월|\d年|\d月/u;
var HAS_ADDRESS = /[^\s@<]@[^\s@>]/;
var HAS_MAILBOX = /[<([][^\s@<>]{1,100}@[^\s@<>]{1,100}[>)\]]/;
var MAY_BEGIN = /[\d@٠-٩۰-۹०-९๐-๙]/;
var BIDI = /[*_\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
var RULED = (words) => new RegExp(`^[${DASHES}\\s]{2,60}\\s?(?:${escaped(words)})`, "iu");
var ORIGINAL = RULED(ORIGINAL_MESSAGE);
var BARE_ORIGINAL = /^-{4,60}\s?original\s?-{4,60}$/i;
var HAS_DASHES = new RegExp(`[${DASHES}]{2}`);
var FORWARDED = new RegExp(
  `^(?:[${DASHES}\\s]{2,60}\\s?(?:${escaped(FORWARDED_MESSAGE)})|(?:${escaped(FORWARDED_MESSAGE)})\\s?[:\uFF1A]$)`,
  "iu"
);
var RULE = /^[\s>]*[-_=*─—][-_=*─—\s]*$/;
var LABELLED = /^[\s*]{0,4}([\p{L}\p{M}][\p{L}\p{M}\s-]{0,24}?)\*{0,2}\s?[:：]\*{0,2}[\s\u200f]/u;
var labelKinds = new Map(
  Object.keys(LABELS).flatMap(
    (kind) => LABELS[kind].map((label) => [label, kind])
  )
);
function isQuoted(lines, at) {
  if (!lines.has(at, mark.angle)) return false;
  const line = lines.text(at);
  return /^ {0,3}>/.test(line) && !line.startsWith(">From ") && !isBetweenMarks(line);
}
var isBetweenMarks = (line) => line.startsWith(">>> ") && /^>>> [^>].{3,200} >>>\s*$/.test(line) && hasDate(line);
function isLabelled(lines, at) {
  return labelOf(lines, at) !== void 0;
}
function isRule(line) {
  return line.length < MAX_LINE_LENGTH2 && /[-_=*─—]{3}/.test(line) && RULE.test(line);
}
function isRuleAt(lines, at) {
  return lines.has(at, mark.dash | mark.angle) && isRule(lines.text(at));
}
function isOriginalMessage(lines, at) {
  const line = lines.text(at);
  if (lines.has(at, mark.angle) && isBetweenMarks(line)) return true;
  if (!lines.has(at, mark.dash | mark.indented) || line.length >= 120) return false;
  return HAS_DASHES.test(line) && (ORIGINAL.test(line) || BARE_ORIGINAL.test(line.trim()));
}
function isForwardedMessage(lines, at) {
  if (!lines.has(at, mark.dash | mark.colon)) return false;
  const line = lines.text(at);
  return line.length < 120 && FORWARDED.test(line.trim());
}
function attributionLength(lines, start) {
  if (!mayEndWithin(lines, start) || !MAY_BEGIN.test(lines.text(start))) return 0;
  let joined3 = "";
  for (let count = 1; count <= MAX_ATTRIBUTION_LINES; count++) {
    const line = cleaned(lines.texts[start + count - 1]);
    if (!line) return 0;
    joined3 = count === 1 ? line : `${joined3} ${line}`;
    if (joined3.length > MAX_LINE_LENGTH2) return 0;
    if (endsAttribution(line) && isAttribution(joined3))
      return count === 1 || isOne(lines, start, count) ? count : 0;
    if (count === 1 && !mayBegin(lines, start, joined3)) return 0;
  }
  return 0;
}
function isOne(lines, start, count) {
  return STARTS.test(cleaned(lines.text(start)).toLowerCase()) || !hasAttribution(lines, start + 1, start + count);
}
function hasAttribution(lines, start, end) {
  const joined3 = lines.texts.slice(start, end).map(cleaned).join(" ");
  return isAttribution(joined3) && HAS_DAY.test(joined3);
}
function mayBegin(lines, start, line) {
  if (STARTS.test(line.toLowerCase())) return true;
  return lines.isBlank(start - 1) && (hasDate(line) || HAS_ADDRESS.test(line));
}
function introducesQuote(lines, at) {
  const text = cleaned(lines.text(at)) ?? "";
  const isTold = hasDate(text) || HAS_ADDRESS.test(text);
  if (!/[:：]$/.test(text)) return hasDate(text) && HAS_MAILBOX.test(text);
  return isTold || VERB_LAST.test(text.toLowerCase()) || QUOTES.test(text.toLowerCase());
}
function isHeaderBlock(lines, start) {
  const first = labelOf(lines, start);
  if (!first || first === "copy") return isUnknownBlock(lines, start);
  const kinds = /* @__PURE__ */ new Set([first]);
  let others = 0;
  let hasAddress = HAS_ADDRESS.test(lines.text(start).slice(0, MAX_LINE_LENGTH2));
  for (let at = start + 1; at < start + MAX_BLOCK_LINES && others < 3; at++) {
    const kind = labelOf(lines, at);
    if (kind) kinds.add(kind);
    else others++;
    hasAddress ||= HAS_ADDRESS.test(lines.text(at).slice(0, MAX_LINE_LENGTH2));
    const isMail = kinds.has("subject") || hasAddress;
    if (isMail && kinds.has("from") && kinds.size - Number(kinds.has("copy")) >= 3) return true;
  }
  return false;
}
function isUnknownBlock(lines, start) {
  if (!isRuleAt(lines, start - 1)) return false;
  const block = lines.texts.slice(start, start + 6);
  const labelled = block.filter((line) => LABELLED.test(line.slice(0, 100))).map((line) => line.slice(0, MAX_LINE_LENGTH2));
  return labelled.length >= 3 && labelled.some((line) => HAS_ADDRESS.test(line)) && labelled.some(hasDate);
}
function mayEndWithin(lines, start) {
  for (let at = start; at < start + MAX_ATTRIBUTION_LINES; at++) if (lines.has(at, mark.end)) return true;
  return false;
}
var hasDate = (text) => HAS_DAY.test(text) || HAS_TIME.test(text);
function endsAttribution(line) {
  return /[:：]$/.test(line) || VERB_LAST.test(line.toLowerCase());
}
function isAttribution(joined3) {
  const text = joined3.toLowerCase();
  const hasAddress = HAS_ADDRESS.test(text);
  if (VERB_LAST.test(text))
    return HAS_DAY.test(text) || hasAddress || HAS_TIME.test(text) && STARTS.test(text);
  if (!/[:：]$/.test(text)) return false;
  if (QUOTES.test(text)) return hasAddress;
  if (HAS_DAY.test(text) && HAS_TIME.test(text) && HAS_MAILBOX.test(text)) return true;
  if (VERB_AND_NAME.test(text)) return hasAddress || hasDate(text);
  return hasAddress && hasDate(text) && STARTS.test(text);
}
function cleaned(line) {
  if (line === void 0 || line.length > MAX_LINE_LENGTH2) return void 0;
  return line.replace(BIDI, "").replace(/^[-\s]+|[-\s]+$/g, "").trim();
}
function labelOf(lines, at) {
  if (!lines.has(at, mark.colon)) return void 0;
  const line = lines.text(at);
  const colon = line.slice(0, 60).search(/[:：]/);
  if (colon < 1) return void 0;
  return labelKinds.get(line.slice(0, colon).replace(BIDI, "").replaceAll(">", "").trim().toLowerCase());
}

// src/mail/disclaimer.ts
var MIN_LENGTH = 80;
var MAX_LENGTH = 3e3;
var MAX_PARAGRAPHS = 8;
var MIN_SIGNS = 2;
var anyOf3 = (...patterns) => new RegExp(patterns.join("|"));
var SIGNS = [
  anyOf3(
    "confidential|privileged|proprietary information|vertraulich|rechtlich gesch\xFCtzt|confidentiel|confidencia(?:l|is)|riservat[aoie]|confidenzial|vertrouwelijk",
    "konfidentiell|sekretess|fortrolig|luottamuksel|poufn|d\u016Fv\u011Brn|d\xF4vern|bizalmas|gizli|\u043A\u043E\u043D\u0444\u0438\u0434\u0435\u043D\u0446\u0438\u0430\u043B\u044C\u043D|\u043A\u043E\u043D\u0444\u0456\u0434\u0435\u043D\u0446\u0456\u0439\u043D|\u043F\u043E\u0432\u0435\u0440\u0438\u0442\u0435\u043B\u043D|\u03B5\u03BC\u03C0\u03B9\u03C3\u03C4\u03B5\u03C5\u03C4\u03B9\u03BA|\u05E1\u05D5\u05D3\u05D9|\u05D7\u05E1\u05D5\u05D9|\u0633\u0631\u064A[\u0629\u0647]|confiden\u021Bial|b\u1EA3o m\u1EADt|rahasia|\u673A\u5BC6|\u4FDD\u5BC6|\u6A5F\u5BC6|\uAE30\uBC00"
  ),
  anyOf3(
    "(?:intended|sole use of|use of the|named|above) (?:solely |only |exclusively )?(?:recipient|addressee|for|individual|person)|intended recipient|solely for|only for the",
    "richtige adressat|bestimmungsgem\xE4\xDFe|ausschlie\xDFlich f\xFCr|nur f\xFCr den|destinataire|destinatari[oae]s?|exclusiv(?:ement|amente)|esclusivamente|geadresseerde|bestemd",
    "avsedd|adressat|tiltenkt|tilsigtet|modtager|tarkoitettu|vastaanottaj|adresata|przeznaczon|ur\u010Den|c\xEDmzett|al\u0131c\u0131|\u0430\u0434\u0440\u0435\u0441\u0430\u0442|\u043F\u043E\u043B\u0443\u0447\u0430\u0442\u0435\u043B|\u043E\u0442\u0440\u0438\u043C\u0443\u0432\u0430\u0447|\u03C0\u03B1\u03C1\u03B1\u03BB\u03AE\u03C0\u03C4|\u05E0\u05DE\u05E2\u05DF|\u05DE\u05D9\u05D5\u05E2\u05D3|\u0627\u0644\u0645\u0633\u062A\u0644\u0645|\u0627\u0644\u0645\u0631\u0633\u0644 \u0625\u0644\u064A\u0647|destinatar|ng\u01B0\u1EDDi nh\u1EADn|penerima|\u6536\u4EF6\u4EBA|\u5B9B|\u53D7\u4FE1\u8005|\uC218\uC2E0\uC778"
  ),
  anyOf3(
    "(?:received|reached you|sent to you|got) (?:this |the )?(?:\\S{1,20} )?(?:in |by )?(?:error|mistake)|in error|not the (?:intended|named)|irrt\xFCmlich|versehentlich|par erreur|por error|por engano|por equivocaci\xF3n|per errore|per abuis|ten onrechte|onterecht|abusievelijk",
    "av misstag|ved en fejl|ved en feil|erehdyksess\xE4|vahingossa|omy\u0142kowo|przez pomy\u0142k\u0119|omylem|t\xE9ved\xE9sb\u0151l|yanl\u0131\u015Fl\u0131kla|\u043E\u0448\u0438\u0431\u043E\u0447\u043D\u043E|\u043F\u043E \u043E\u0448\u0438\u0431\u043A\u0435|\u043F\u043E\u043C\u0438\u043B\u043A\u043E\u0432\u043E|\u043F\u043E \u043F\u043E\u0433\u0440\u0435\u0448\u043A\u0430|\u03BB\u03AC\u03B8\u03BF\u03C2|\u05D1\u05D8\u05E2\u05D5\u05EA|\u0639\u0646 \u0637\u0631\u064A\u0642 \u0627\u0644\u062E\u0637\u0623|\u0628\u0627\u0644\u062E\u0637\u0623|din gre\u0219eal\u0103|do nh\u1EA7m|nh\u1EA7m l\u1EABn|karena kesalahan|\u8BEF\u6536|\u9519\u8BEF|\u8AA4\u3063\u3066|\u8AA4\u9001|\uC798\uBABB \uC218\uC2E0"
  ),
  anyOf3(
    "notify|inform the sender|contact the sender|delete (?:it|this|the|all)|destroy|permanently delete|absender|vernichten|l\xF6schen sie|avertir|exp\xE9diteur|d\xE9truire|supprimer|notifi|remitente|elimin|borr(?:e|ar)|apag(?:ue|ar)|remetente|mittente|avvis|cancell",
    "afzender|verwijder|vernietig|avs\xE4ndare|radera|afsender|avsender|slett|l\xE4hett\xE4j|poista|nadawc|usuni\u0119|odes\xEDlatel|odosielate\u013E|vyma\u017E|felad\xF3|t\xF6r\xF6lj|g\xF6nderen|silin|\u043E\u0442\u043F\u0440\u0430\u0432\u0438\u0442\u0435\u043B|\u0443\u0434\u0430\u043B\u0438\u0442|\u0432\u0438\u0434\u0430\u043B|\u0438\u0437\u0442\u0440\u0438|\u03B1\u03C0\u03BF\u03C3\u03C4\u03BF\u03BB\u03AD\u03B1|\u03B4\u03B9\u03B1\u03B3\u03C1\u03AC\u03C8|\u05D4\u05E9\u05D5\u05DC\u05D7|\u05DE\u05D7\u05E7|\u0627\u0644\u0645\u0631\u0633\u0644|\u062D\u0630\u0641|expeditor|\u0219terge\u021Bi|x\xF3a|hapus|\u5220\u9664|\u522A\u9664|\u524A\u9664|\uC0AD\uC81C"
  ),
  anyOf3(
    "(?:disclos|distribut|copy|copying|dissemination|review|reliance|use)[^.]{0,80}(?:prohibited|unlawful|forbidden|not permitted|unauthori[sz]ed)|unauthori[sz]ed (?:review|use|copy|disclos)|unbefugt|nicht gestattet|interdit|prohibid|proibid|vietat|verboden|otill\xE5ten|forbudt|kielletty|zabronion|zak\xE1z\xE1n|tilos|yasak|\u0437\u0430\u043F\u0440\u0435\u0449|\u0437\u0430\u0431\u043E\u0440\u043E\u043D|\u03B1\u03C0\u03B1\u03B3\u03BF\u03C1|\u05D0\u05E1\u05D5\u05E8|\u0645\u062D\u0638\u0648\u0631|interzis|nghi\xEAm c\u1EA5m|dilarang|\u7981\u6B62|\uAE08\uC9C0"
  ),
  anyOf3("virus|scanned (?:by|for)|malware|viren|antivirus|wirus|\u0432\u0438\u0440\u0443\u0441|\u75C5\u6BD2|\u30A6\u30A4\u30EB\u30B9|\uBC14\uC774\uB7EC\uC2A4"),
  anyOf3(
    "disclaimer|legal notice|confidentiality notice|rechtlicher hinweis|haftungsausschluss|avis (?:juridique|de confidentialit\xE9)|aviso legal|avvertenza|nota di riservatezza|aviso de confidencialidad|gdpr|rgpd|dsgvo|lopd"
  ),
  anyOf3(
    "any attachments?|attached files?|anh\xE4nge|pi\xE8ces? jointes?|archivos adjuntos|anexos|allegat|bijlagen|registered (?:in|office|number)|company (?:number|registration)|liability|accepts no"
  )
];
var PRINTING = /(?:consider|think (?:of|about)) [^.]{0,60}(?:environment|before (?:you )?print)|umwelt[^.]{0,80}(?:ausdruck|drucken)|(?:ausdrucken|drucken)[^.]{0,60}umwelt|pens(?:ez|ons) [^.]{0,40}environnement|(?:avant|antes) d[e'’] ?imprim|medio ambiente[^.]{0,60}imprim|prima di stampare|denk aan het milieu/;
var SEPARATOR = /^[\s*_=#~-]*$/;
function startOfDisclaimer(lines) {
  let start = lines.length;
  for (let count = 0; count < MAX_PARAGRAPHS; count++) {
    const [from, to] = paragraphBefore(lines, start);
    if (from === to || !isDisclaimer(lines.slice(from, to))) break;
    start = from;
  }
  return lines.slice(0, start).some((line) => !SEPARATOR.test(line)) ? start : lines.length;
}
function paragraphBefore(lines, before) {
  let end = before;
  while (end > 0 && SEPARATOR.test(lines[end - 1])) end--;
  let start = end;
  let length = 0;
  while (start > 0 && !SEPARATOR.test(lines[start - 1]) && length < MAX_LENGTH)
    length += lines[--start].length;
  return length < MAX_LENGTH ? [start, end] : [end, end];
}
function isDisclaimer(lines) {
  const text = lines.join(" ").toLowerCase();
  if (text.length < MIN_LENGTH / 3) return false;
  if (PRINTING.test(text)) return true;
  return text.length >= MIN_LENGTH / (isDense(text) ? 3 : 1) && SIGNS.filter((sign) => sign.test(text)).length > MIN_SIGNS;
}
var isDense = (text) => /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]/u.test(text);

// src/mail/signature.ts
var MAX_SIGNATURE_LINES = 15;
var MAX_SENT_FROM_LENGTH = 140;
var MAX_WORDS = 9;
var NAME_AFTER_DASH = /^[-–—]\p{Lu}[\p{L}.'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){0,3}$/u;
var CARRIER = /^(sent from my [\p{L}-]{2,20}), (?=[\p{L}\d ]{2,40}(?:phone|tablet|device)$)/u;
function startOfSignature(lines) {
  let end = withoutEmpty(lines, startOfDisclaimer(lines));
  const delimiter = delimiterBefore(lines, end);
  if (delimiter !== null) end = withoutEmpty(lines, delimiter);
  while (end > 0 && isClosingLine(lines, end - 1)) end = withoutEmpty(lines, end - 1);
  return end === withoutEmpty(lines, lines.length) ? lines.length : end;
}
function delimiterBefore(lines, end) {
  let written = 0;
  for (let at = end - 1; at >= 0 && written <= MAX_SIGNATURE_LINES; at--) {
    const line = lines[at] ?? "";
    if (isDelimiter(line)) return at;
    if (line.trim()) written++;
  }
  return null;
}
function isDelimiter(line) {
  return /^(?:--|—|–)\s{0,5}$/.test(line) || /^\s{0,3}_{10,}/.test(line) && isRule(line);
}
function isClosingLine(lines, at) {
  const line = (lines[at] ?? "").trim();
  return isSentFrom(line) || NAME_AFTER_DASH.test(line) && !lines[at - 1]?.trim();
}
function isSentFrom(line) {
  if (line.length > MAX_SENT_FROM_LENGTH) return false;
  const text = line.replace(/\[([^\][]{1,60})\]\([^()\s]{1,200}\)/g, "$1").replace(/[<(]\s?https?:[^\s>)]*\s?[>)]/g, "").replace(/^[-–—*_[(\s]+|[\])*_\s]+$/g, "").toLowerCase();
  if (text === "yahoo mail: search, organize, conquer") return true;
  const said = text.replace(EXCUSES, "").replace(CARRIER, "$1 ").replace(/[\s.,]+$/, "");
  if (/[,;!?]/.test(said) || said.split(/\s+/).length > MAX_WORDS + (DEVICES.test(said) ? 4 : 0)) return false;
  if (SENT_FROM_END.some((end) => said.endsWith(end))) return said.length < 90 && DEVICES.test(said);
  if (SENT_FROM.some((start) => said.startsWith(start))) return !text.endsWith(".") || said.length < 90;
  return GET.some((word) => said.startsWith(word) || said.endsWith(word)) && DEVICES.test(said) && PLATFORMS.test(said);
}
function withoutEmpty(lines, end) {
  let at = end;
  while (at > 0 && !lines[at - 1]?.trim()) at--;
  return at;
}

// src/mail/reply-text.ts
var MAX_HEAD_LINES = 5;
function extractReplyText(text, options = {}) {
  return splitReply(text, options).reply;
}
function splitReply(text, options = {}) {
  const lines = MarkedLines.of(text);
  const own = options.isForward || startsForwarded(lines) ? lines.texts : withoutQuotes(lines);
  const end = startOfSignature(own);
  const reply = joined2(own.slice(0, end));
  if (reply) return { reply, signature: joined2(own.slice(end)) };
  return { reply: joined2(own) || joined2(lines.texts), signature: "" };
}
function joined2(lines) {
  let start = 0;
  while (start < lines.length && !lines[start]?.trim()) start++;
  return lines.slice(start).join("\n").trimEnd();
}
function startsForwarded(lines) {
  for (let at = 0; at < lines.length; at++) {
    if (isForwardedMessage(lines, at)) return true;
    if (isQuoted(lines, at) || isOriginalMessage(lines, at) || attributionLength(lines, at) > 0) return false;
  }
  return false;
}
function withoutQuotes(lines) {
  const kept = lines.until(startOfTail(lines));
  const quotes = findQuotes(kept);
  if (quotes.length === 0) return kept.texts;
  const end = endOfOwnText(kept, quotes);
  const inner = quotes.filter((quote) => quote.start < end);
  const own = inner.length === 1 && inner[0] && isRemovable(inner[0]) ? cutOut(kept.texts, inner[0]) : kept.texts;
  return own.slice(0, own.length - (kept.length - end)).concat(signatureAfter(kept, end));
}
function startOfTail(lines) {
  let hasOwnText2 = false;
  for (let at = 0; at < lines.length; at++) {
    if (lines.isBlank(at) || isQuoted(lines, at)) continue;
    if (hasOwnText2 && startsTail(lines, at)) return withoutRules(lines, at);
    if (!isRuleAt(lines, at)) hasOwnText2 = true;
  }
  return lines.length;
}
function startsTail(lines, at) {
  if (isOriginalMessage(lines, at) || isHeaderBlock(lines, at)) return true;
  const length = attributionLength(lines, at);
  return length > 0 && !isQuoted(lines, lines.nextWritten(at + length));
}
function withoutRules(lines, end) {
  const at = beforeRules(lines, end);
  let head = at;
  while (head > Math.max(0, at - MAX_HEAD_LINES) && isLabelled(lines, head - 1)) head--;
  return head < at && isRuleAt(lines, head - 1) ? beforeRules(lines, head) : at;
}
function beforeRules(lines, end) {
  let at = end;
  while (at > 0 && (lines.isBlank(at - 1) || isRuleAt(lines, at - 1))) at--;
  return at;
}
function findQuotes(lines) {
  const quotes = [];
  let at = 0;
  while (at < lines.length) {
    const length = isQuoted(lines, at) ? 0 : attributionLength(lines, at) || introLength(lines, at);
    const first = length > 0 ? lines.nextWritten(at + length) : at;
    if (!isQuoted(lines, first)) {
      at++;
      continue;
    }
    const end = endOfQuote(lines, first);
    quotes.push({ start: at, end, isIntroduced: length > 0 });
    at = end;
  }
  return quotes;
}
function introLength(lines, at) {
  const isAboveQuote = isQuoted(lines, at + 1) || lines.isBlank(at + 1) && isQuoted(lines, at + 2);
  return isAboveQuote && introducesQuote(lines, at) ? 1 : 0;
}
function endOfQuote(lines, start) {
  let end = start;
  for (let at = start; at < lines.length; at++) {
    if (isQuoted(lines, at)) end = at + 1;
    else if (!lines.isBlank(at)) break;
  }
  return end;
}
function endOfOwnText(lines, quotes) {
  const first = quotes[0];
  const begins = first && hasOwnText(lines, 0, first.start);
  let end = lines.length;
  for (let index = quotes.length - 1; index >= (begins ? 0 : 1); index--) {
    const quote = quotes[index];
    if (!quote || hasOwnText(lines, quote.end, end)) break;
    end = quote.start;
  }
  return end === lines.length ? end : withoutRules(lines, end);
}
function hasOwnText(lines, start, end) {
  const part = lines.texts.slice(start, end);
  return part.slice(0, startOfSignature(part)).some((line) => line.trim());
}
function signatureAfter(lines, end) {
  const below = lines.texts.slice(end).filter((_, index) => !isQuoted(lines, end + index));
  return below.slice(startOfSignature(below));
}
function isRemovable(quote) {
  return quote.isIntroduced || quote.end - quote.start >= 3;
}
function cutOut(lines, quote) {
  return [...lines.slice(0, quote.start), ...lines.slice(quote.end)];
}

// src/mail/verbatim-text.ts
var decoder = new TextDecoder();
var verbatimText = (raw2, bodyStart = 0) => decoder.decode(raw2.subarray(bodyStart)).replaceAll("\r\n", "\n");
var isVerbatim = (raw2, bodyStart, text) => {
  const bytes = raw2.length - bodyStart;
  return text !== "" && bytes >= text.length && bytes <= 4 * text.length && verbatimText(raw2, bodyStart) === text;
};

// src/mail/parse.ts
var DEFAULTS = {
  maxBytes: 50 * 1024 * 1024,
  maxLines: 5e5,
  maxHeaderBytes: 256 * 1024,
  maxDepth: 30,
  maxBodyLength: 2 * 1024 * 1024,
  maxAttachments: 1e3
};
var LINE_FEED = 10;
async function parseMail(raw2, limits = {}, mailFrom) {
  const bounds = { ...DEFAULTS, ...limits };
  const headers = readHeaders(raw2, bounds.maxHeaderBytes);
  const refusal = refuse(raw2, bounds);
  if (refusal) return describe(headers, [refusal]);
  try {
    const content = readMime(raw2, headers, bounds.maxDepth, bounds.maxBodyLength);
    const mail = withBody(describe(headers, content.flaws), content, bounds);
    const textStart = isVerbatim(raw2, headers.bodyStart, mail.text) ? headers.bodyStart : null;
    return { ...mail, textStart, ...describeMachine(raw2, headers.fields, mail.text, mailFrom) };
  } catch {
    return describe(headers, ["unparsable"]);
  }
}
function refuse(raw2, bounds) {
  if (raw2.length > bounds.maxBytes) return "too-large";
  return hasMoreLines(raw2, bounds.maxLines) ? "too-many-lines" : null;
}
function hasMoreLines(raw2, count) {
  if (raw2.length <= count) return false;
  let lines = 0;
  for (let at = raw2.indexOf(LINE_FEED); at !== -1 && lines <= count; at = raw2.indexOf(LINE_FEED, at + 1))
    lines++;
  return lines > count;
}
function describe({ fields, isComplete }, flaws) {
  const value = (name) => headerValue(fields, name) ?? "";
  const addresses = (name) => addressesIn2(headerValues(fields, name));
  return {
    messageId: extractMessageIds(value("message-id"))[0] ?? null,
    inReplyTo: extractMessageIds(value("in-reply-to"))[0] ?? null,
    references: extractReferences(value("references")),
    from: addresses("from")[0] ?? null,
    sender: addresses("sender")[0] ?? null,
    to: addresses("to"),
    cc: addresses("cc"),
    replyTo: addresses("reply-to"),
    subject: singleLine(decodeHeader(value("subject"))),
    sentAt: parseMailDate(value("date")),
    text: "",
    textStart: null,
    html: null,
    replyText: "",
    preview: "",
    ...detectOrigin(fields, { bounce: null, complaint: null, text: "" }),
    bounce: null,
    complaint: null,
    headers: fields.map(({ name, value: value2 }) => ({ name, value: decodeHeader(value2) })),
    attachments: [],
    flaws: isComplete ? flaws : ["header-too-large", ...flaws]
  };
}
function addressesIn2(values) {
  const found = [];
  for (const value of values) {
    if (found.length >= MAX_ADDRESSES) break;
    found.push(...parseAddressList(value));
  }
  return found.slice(0, MAX_ADDRESSES);
}
function withBody(mail, content, bounds) {
  const html = content.html ? wellFormed(truncated(content.html, bounds.maxBodyLength)) : null;
  const text = content.text.trim() || !html ? content.text : htmlToText(html, bounds.maxBodyLength);
  const body = wellFormed(truncated(text, bounds.maxBodyLength)).replace(/\r\n?/g, "\n");
  const replyText = extractReplyText(body, { isForward: isForward(mail.subject) });
  const isCut = text.length > bounds.maxBodyLength || (content.html?.length ?? 0) > bounds.maxBodyLength;
  const flaws = isCut ? ["body-truncated"] : [];
  if (content.attachments.length > bounds.maxAttachments) flaws.push("too-many-attachments");
  return {
    ...mail,
    text: body,
    html,
    replyText,
    preview: previewOf(replyText || body),
    attachments: describeAttachments(content.attachments.slice(0, bounds.maxAttachments)),
    flaws: [...mail.flaws, ...flaws]
  };
}

// ../../pb2.ts
var raw = new Uint8Array(readFileSync("/tmp/bench.eml"));
for (let i = 0; i < 6e4; i++) await parseMail(raw, {}, "you@example.com");
