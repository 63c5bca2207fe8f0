import type { FoundCode } from '../protocol/records/message'
import { withoutEnd } from './text/safe-text'

/**
 * Letters that follow a letter in words of European languages, by the first letter; `^` is the start of a
 * word, `$` its end. Counted in 440,000 words.
 */
const followers: Readonly<Record<string, string>> = Object.fromEntries(
  '^:abcdefghijklmnopqrstuvwxyz|a:abcdefghijklmnprstuvwxyz$|b:aeijlorstuy$|c:acehiklorstuy$|d:adegilmnorstuvy$|e:abcdefghiklmnopqrstuvwxyz$|f:aefilortuy$|g:aeghilmnorstuy$|h:aeilmnorstuy$|i:abcdefgklmnopqrstuvxz$|j:aeou|k:aeilnosu$|l:acdefgiklmopstuvy$|m:abeilmopsuy$|n:abcdefghijklmnoprstuvy$|o:abcdefghijklmnoprstuvwxy$|p:aehilmoprstuy$|q:u|r:abcdefghiklmnoprstuvwy$|s:acefhiklmnopstuwy$|t:abcefhilmnoprstuwy$|u:abcdefgilmnoprstz$|v:aeio$|w:aehilnorsw$|x:acehiptx$|y:aceilmnopst$|z:aeioz$'
    .split('|')
    .map((entry) => [entry[0], entry.slice(2)]),
)

/** Words in capitals that give the state of a code, or lead to it. */
const statusWords = new Set(
  'ABOVE ACCEPTED ACTIVE APPROVED AVAILABLE BELOW BLOCKED CANCELED CANCELLED CHANGED CLOSED CONFIRMED CORRECT DECLINED DENIED DISABLED ENABLED ENTERED ERROR EXPIRED EXPIRES FAILED FALSE FREE FRESH GONE HERE INACTIVE INCORRECT INVALID ISSUED LIMITED LOCKED MISSING NEEDED NEVER NONE NULL ONCE ONLY OPEN PENDING PRIVATE READY REJECTED REQUIRED RESET REVOKED SECRET SENT STILL STOLEN SUCCESS SUMMER THAT THIS TODAY TRUE UNKNOWN UNUSED UPDATED USED VALID VERIFIED WAITING WINTER WITHIN WRONG YOURS GESENDET UNTEN HIER FALSCH EXPIRADO ENVIADO AQUI CADUCADO EXPIRE ENVOYE SCADUTO SCADUTA INVIATO INVIATA AKTIV INAKTIV AKTYWNY VENCIDO VENCIDA USADO USADA ACTIVO ACTIVA ATTIVO ATTIVA ATIVO ATIVA ACTIF ACTIEF VERLOPEN GELDIG ANULADO ANULADA GESPERRT UGYLDIG OGILTIG UDGAAET PLATNY NEPLATNY GECERLI AKTIVNI'.split(
    ' ',
  ),
)

/** Returns whether letters form no word: two of them never occur side by side in European languages. */
function isNoWord(word: string): boolean {
  const letters = `^${word.toLowerCase()}$`
  for (let at = 0; at + 1 < letters.length; at++)
    if (!followers[letters[at]!]?.includes(letters[at + 1]!)) return true
  return false
}

/** Returns whether capitals give the state of a code, as in "verification code: EXPIRED". */
const isStatus = (capitals: string): boolean => statusWords.has(capitals)

const maxLength = 64 * 1024
const maxLine = 400
const maxCodes = 3
/** Score of a number that the text calls a code; beside one, weaker numbers are not codes. */
const sure = 3
const nearChars = 60

const anyOf = (...patterns: string[]) => new RegExp(patterns.join('|'), 'giu')

/** A word before "code" that says what it is for. */
const kind =
  '(?:(?:one[ -]?time|verification|verify|security|access|login|log[ -]?in|sign[ -]?in|confirmation|authentication|auth|authorization|activation|temporary|magic|secret|\\w{2,20}) )?'
const wordBefore = '\\p{L}{0,20}'
/** Names of a code in the main languages, matched against a whole line. */
const namePhrases = anyOf(
  `\\b${kind}(?:code|passcode|pass ?phrase|pin)s?\\b`,
  '\\b(?:enter|type|use|copy|paste) (?:this|the|these) (?:\\p{L}{1,12} )?(?:number|digits)\\b|(?<=\\b(?:use|enter)\\s(?:[\\w-]{4,9}|\\d{2,4}(?: \\d{2,4}){1,2})\\s)to (?:(?:finish|complete|continue) )?(?:verify|confirm|authenticat|(?:your )?(?:(?:log|sign)(?:g?ing)?[ -]?(?:in|up)|regist(?:er|ration)))|(?=(?:on|in|into|at) (?:your|the|this) )(?<=\\b(?:use|enter|type)\\s(?:\\d{6,8}|\\d{2,4}(?: \\d{2,4}){1,2})\\s)(?:on|in|into|at) (?:your|the|this) (?:[\\w-]{1,15} ){0,2}(?:tv|television|device|phone|tablet|computer|laptop|console|app|application|browser|screen|page|website|site|window|prompt|terminal|form)\\b|(?=(?:auf|in|am|sur|dans|en|no|na|su|sul|sulla|nel|nella|op) )(?<=\\b(?:geben sie|gib|saisissez|entrez|saisis|introduce|introduzca|ingresa|ingrese|digite|insira|inserisci|digita|voer)\\s[\\w-]{4,9}\\s)(?:auf|in|am|sur|dans|en|no|na|su|sul|sulla|nel|nella|op)(?!\\p{L})|\\b(?:otp|2fa|one[ -]?time (?:password|pin|token))\\b',
  `${wordBefore}(?:(?:code|kode|kod|koodi?)\\b|(?:kod(?:en|et|u|un|unu|unuz|unuzu|em|ie|i|ingiz|ingizni|ini)|kode(?:ns|nya|n)|koodi(?:n|si|nsa|nne|a)|kod(?:a|o|ea|ą|as|ai)|codi|kóð(?:i|inn|a|ann|anum)|(?<=\\p{L})kota)(?!\\p{L})|kota(?=:))|bestätigungs(?:nummer|zahl)|einmal(?:kennwort|passwort)|\\b(?:m|push|sms|chip|photo|i)?tan\\b`,
  "code (?:de |à |d[’'])?\\p{L}{2,20}|mot de passe (?:à usage )?unique|c[óo]digo|contraseña (?:temporal|de un solo uso)|senha (?:temporária|única)|codice|wachtwoord voor eenmalig",
  '(?:проверочный |код )?код\\p{L}{0,3}|одноразов\\p{L}+ парол\\p{L}+|kodunuz|doğrulama kodu(?:nuz)?|ověřovací kód|(?<!\\p{L})kód(?:ja|ot|od|om)?(?!\\p{L})|jelszó',
  '(?<!\\p{L})(?:cod(?:ul)?|kodi|kods|kodas|kood|kôd|ch?ód|κωδικ[όο][ςύ]?|կոդ\\p{L}{0,2}|კოდი\\p{L}{0,2}|קוד|הקוד)(?!\\p{L})|tunnusluku|vahvistuskoodi|(?:egyszer használatos|jednorázov\\p{L}+|jednokratn\\p{L}+|enkratn\\p{L}+|vienkartin\\p{L}+|vienreizēj\\p{L}+|tek kullanımlık|μίας χρήσης|eenmalige?|engangs-?|engångs-?|kertakäyttö\\p{L}*|ühekordne)\\s?(?:jelsz\\p{L}+|hesl\\p{L}+|gesl\\p{L}+|lozink\\p{L}+|slaptažod\\p{L}+|parol\\p{L}+|şifre\\p{L}*|κωδικ\\p{L}+|wachtwoord\\p{L}*|lösenord\\p{L}*|passord\\p{L}*|adgangskode\\p{L}*|salasana\\p{L}*|parool\\p{L}*)|κωδικ\\p{L}+ μίας χρήσης|contrasenya d.un sol ús|ה?(?:סיסמה|סיסמא|קוד) ה?חד[- ־]?פעמית?|m[ãa] (?:otp|x[áa]c|đăng nh[ậa]p|dang nhap|b[ảa]o m[ậa]t|k[íi]ch ho[ạa]t|pin|c[ủu]a b[ạa]n)|(?:nh[ậa]p|d[ùu]ng|s[ửu] d[ụu]ng) m[ãa](?! (?:gi[ảa]m|khuy[ếe]n))|m[ãa] n[àa]y',
  'کوڈ|این کد|کد (?:تایید|تأیید|ورود|فعال|یکبار|شما)|کد:|كود|كلمة مرور لمرة|ওটিপি|কোড|ओटीपी|குறியீ(?:டு|ட்டை)|கோட்|కోడ్|ಕೋಡ್|കോഡ്|કોડ|ਕੋਡ|කේතය|ကုဒ်|ကုတ်|កូដ|ລະຫັດ|โอทีพี|ኮድ',
  '验证码|驗證碼|校验码|校驗碼|验证代码|確認碼|确认码|安全码|安全碼|登录码|登入碼|激活码|授权码|口令|認證碼|识别码|識別碼|動態密碼|动态码|認証(?:コード|番号)|確認(?:コード|番号)|ワンタイム(?:パスワード|コード)|暗証番号|パスコード|인증 ?(?:번호|코드)|(?:로그인|본인|보안|이메일|휴대폰) ?확인 ?번호|(?:확인|로그인|보안|접속|아래|다음|일회용) ?코드|코드를 ?입력|(?:次|下記|以下|上記|この)の?コード|コードを(?:ご)?入力|(?:ログイン|セキュリティ|アクセス|本人確認|確認用)コード|(?:输入|輸入|以下|登录|登入|安全|验证|驗證)(?:以下|此|该|此)?(?:代码|代碼)|رمز|कोड|รหัส|mã xác (?:minh|nhận|thực)|nambari (?:hii |yako )?ya (?:siri|uthibitisho|kuingia)|msimbo',
)
/** Words after such a name for how long the code is valid, or for its purpose. */
const ofUse =
  "(?: (?:d['’]accès|(?:de|di) acc?ess?o|tempor\\p{L}+|provis\\p{L}+|provvis\\p{L}+|[úu]nic[oa]|unique|dinamic[ao]|dinámica|monouso|usa e getta|(?:s[ửu] )?(?:d[uùụ]ng )?m[ộo]t l[ầa]n|c[ủu]a b[ạa]n|de (?:un solo )?uso(?: único)?|jednorazow\\p{L}+)){0,3}"
/** Words that mean a code only if the code follows directly. */
const passwordPhrases = anyOf(
  `(?:\\bpass ?words?\\b|\\bpasswd\\b|\\bpasswor[td]e?\\b|\\b(?:ihr )?kennwort\\b|mot de passe|contraseña|contrasena|clave|palavra-passe|\\bsenha\\b|\\bwachtwoord\\b|lösenord|adgangskode|passord|salasana|hasł[oa]|\\bhesl[oa]\\b|jelsz(?:ó|av)\\p{L}*|contrasenya|lykilorð\\p{L}*|parol[aă]?\\b|şifre\\p{L}{0,4}|lozinka|geslo|slaptažodis|parole|κωδικός πρόσβασης|пароль|парола|лозинка)${ofUse}`,
  `(?:ה?סיסמה|סיסמת\\p{L}{0,3}|كلمة (?:المرور|السر)|کلمه عبور|گذرواژه|رمز عبور|پاس ورڈ|पासवर्ड|পাসওয়ার্ড|รหัสผ่าน|mật khẩu|mat khau|kata sandi|kata laluan|စကားဝှက်|密码|密碼|パスワード|비밀번호|암호)${ofUse}`,
)
/** Cheap tests for a name anywhere: without the words that may come before it. */
const hasName = new RegExp(namePhrases.source.replace(kind, '').replaceAll(wordBefore, ''), 'iu')
const hasPassword = new RegExp(passwordPhrases.source, 'iu')
/**
 * Cheap test for a text without any name: stems of which each name in Latin letters has one, and letters of
 * scripts that have other names. A name in Latin letters without a stem here is never found.
 */
const mayName = new RegExp(
  [
    'cod(?!in)|k[oóô]{1,2}[dð]|[ck]h?[óô]d|kota|pin|otp|2fa|one[ -]?time|pass(?: ?w| ?phrase|ord)|(?:mot de |palavra-)passe|kennwort|bestätigungs|tan\\b',
    'contrase[nñ]|clave|senha|wachtwoord|lösenord|salasana|tunnusluku|hasł|hesl|jelsz|lykilorð|paroo?l|[sş]ifre|lozin|gesl|slapta|nambari|msimbo|kata (?:sandi|laluan)|m[aậ]t kh[aẩ]u|m[ãa] (?:x[áa]c|[đd][ăa]ng|b[ảa]o|k[íi]ch|c[ủu]a|n[àa]y)|(?:nh[ậa]p|d[ùụu]ng) m[ãa]',
    '(?:this|the|these) (?:\\p{L}{1,12} )?number|digit|(?:use|enter|type)\\s(?:[\\w-]{4,9}|\\d{2,4}(?: \\d{2,4}){1,2})\\s(?:to|on|in|into|at) |(?:geben sie|gib|saisissez|entrez|saisis|introduce|introduzca|ingresa|ingrese|insira|inserisci|voer)\\s[\\w-]{4,9}\\s',
    '[\\u0370-\\u1dff\\u3040-\\ud7ff]',
  ].join('|'),
  'iu',
)
/** Words and signs allowed between such a word and its code. */
const link =
  /^[\s"'“”«»*_\])）】]{0,6}(?:(?:is|are|lautet|ist|est|es|è|é|são|er|är|on|to|jest|je|это|—|–|-|:|：|=|は|が|是|为|為|은|는|هي|هو|este|és|είναι|е|ni|คือ|הוא|היא|הינו|הינה|ہے|है|là|la|adalah)[\s:："'“«*_[(（【]{0,6}){0,2}$/iu
/** The same with the thing that the password is for: "for your Shop account is". */
const forThing =
  /^\p{L}{0,4}(?: \p{L}{1,9}){0,2} (?:for|to|at|on|für|bei|zu|zum|pour|sur|chez|para|en|per|su|voor|bij|för|på|til|till|ved|do|dla|pro|k|na|pentru|la|için|για|στο|uz|за|для|до|к|на|в|untuk|ke|di|cho|pada|palveluun|of|de|da|von|van|od)(?: [^\s,;:!?]{1,24}){1,5}(?: (?:is|ist|lautet|est|es|è|é|är|er|to|jest|je|on|este|е|là|adalah|—|–|-))?(?:(?<= (?:is|ist|lautet|est|es|è|é|är|er|to|jest|je|on|este|е|là|adalah|—|–|-))|(?= ?[:：]))[\s:："'“«*_(【]{0,6}$/iu
const otherNames = anyOf(
  '\\b(?:promo(?:tion(?:al)?)?|parking|plus|icd|cpt|diagnos(?:is|tic)|procedure|billing|job|position|vacancy|payroll|pay|grade|paint|fabric|catalog(?:ue)?|vendor|supplier|dealer|agency|employee|staff|policy|plan|package|deal|donation|redemption|redeem|loyalty|rewards?|bonus|cashback|map|cheat|fare|rate|corporate|warranty|licen[cs]e|site|station|location|region|state|street|module|subject|school|exam|survey|commodity|tariff|train|bus|version|discount|coupon|gift|voucher|zip|postal|post|country|area|dress|error|status|booking|reservation|tracking|order|purchase|shipment|shipping|parcel|invoice|product|item|article|part|model|serial|style|sku|store|qr|bar|source|reference|referral|sort|swift|branch|bank|exit|return|response|reason|dial(?:l?ing)?|tax|vat|unit|building|civil|penal|criminal|color|colour|morse|invite|invitation|friend|member(?:ship)?|customer|client|project|cost cent(?:er|re)|department|course|class|flight|ticket|case|claim|batch|lot|airport|language|currency|hs|isin|naics|campaign|affiliate|partner|machine|kernel|assembl(?:y|er)|driver|compiler|library|fpu|cache|shell|generic|priority|lines? of|zero|html|vs|legacy|open|responded with|exited with|failed with|conference|participant|moderator|host) codes?\\b',
  '\\b(?:op|byte|shell|micro|pseudo|p|machine|source|object|bar|zip|uni|geo|hard|time)codes?\\b|\\b\\d{1,3}[ -]pins?\\b|\\bpin[ -](?:protected|secured|geschützt\\p{L}{0,2})|\\bcodes? (?:review|base|of (?:conduct|practice|ethics)|freeze|smell|handles|assumes|compiles|red|blue|name|block|sample|example|snippet|quality|coverage|change|owners?)\\b|\\b(?:de|en|un|re|trans)code\\b|\\b(?:gutschein|rabatt|aktions|plz-?|vorwahl|fehler|quell|strich|bestell|sendungs|artikel|buchungs|produkt)codes?\\b|\\b(?:booking|reservation|buchungs)[ -]?pin\\b|\\bpin (?:di prenotazione|de (?:la )?r[ée]serv\\p{L}{2,6}|da reserva)',
  'code (?:promo|postal|barre|source|civil|pénal|erreur|de (?:commande|suivi|réduction|réservation|la route)|article|client)|c[óo]digo (?:postal|promocional|cliente|artículo|producto|de (?:descuento|error|barras|pedido|seguimiento|compra|reserva|producto|cliente)|do pedido|de rastre\\p{L}+)|codice (?:sconto|univoco|postale|fiscale|promozionale|ordine|prenotazione|cliente|articolo|(?:di )?tracciamento|a barre)',
  '(?:order|kortings|post|track ?& ?trace|bestel|plz-?)code|kod(?:u|em)? (?:zamówienia|rabatow\\p{L}+|promocyjn\\p{L}+|kreskow\\p{L}+|towaru|pocztow\\p{L}+|śledzenia)|kod (?:rabatt|spårning)|promosyon kodu|indirim kodu|posta kodu|takip kodu|kod pocztowy|код (?:заказа|товара|отслеживания|ошибки|города)|почтовый код|промокод',
  '(?:slevov|promo|poštovní |objednac|sledovac|zľavov|kupón)\\p{L}{0,4} ?kód\\p{L}{0,3}|трек-?код|почтовый индекс|код (?:скидки|купона|промо\\p{L}*|доставки|посылки)|промо-?код\\p{L}{0,3}|(?:рабат|знижк|поштов)\\p{L}* код|رمز (?:الخصم|الطلب|القسيمة|البريد\\p{L}*|المنتج|التتبع|الكوبون)|الرمز البريدي|كود (?:الخصم|الطلب|المنتج|خصم)|کد (?:تخفیف|پستی|رهگیری|سفارش|محصول|ملی)|(?:ڈسکاؤنٹ|پوسٹل) کوڈ|קוד (?:קופון|הנחה|מוצר|הזמנה|מבצע|דואר|פריט)|מיקוד',
  'kode (?:pos|promo|diskon|voucher|booking|pesanan|produk|referral|resi|barang|negara|kupon)|kod (?:pos|promo\\p{L}*|diskaun|produk|pesanan|baucar|priskod|kuponu|produktu|towaru)|m[ãa] (?:gi[ảa]m gi[áa]|khuy[ếe]n m[ãa]i|[đd][ơo]n h[àa]ng|v[ậa]n [đd][ơo]n|s[ảa]n ph[ẩa]m|b[ưu]u (?:ch[íi]nh|[đd]i[ệe]n)|kh[áa]ch h[àa]ng|s[ốo] thu[ếe])|รหัส(?:สินค้า|ไปรษณีย์|ส่วนลด|คำสั่งซื้อ|พัสดุ|โปรโมชั่น|ลูกค้า)|(?:डिस्काउंट|पिन|कूपन|प्रोमो) कोड|(?:ডিসকাউন্ট|কুপন|পোস্টাল) কোড|(?:alennus|soodus|posti|tuote|toote|tilaus|tellimus|seuranta)kood\\p{L}{0,3}|(?:rabatt?|post|vare|produkt|spårnings|sporings|kampanje|kampanj|tilbuds|ordre|gavekort|presentkorts)(?:kode|kod)\\p{L}{0,3}|(?:irányító|kupon|termék|kedvezmény|rendelés)\\p{L}{0,4}kód\\p{L}{0,3}|cod(?:ul)? (?:poștal|postal|de reducere|promoțional|promotional|de bare|produs(?:ului)?|fiscal|client|comand\\p{L}+|AWB)|(?:[iİ]ndirim|posta|ürün|sipariş|kargo|kupon|müşteri|promosyon) kod\\p{L}{1,6}|κωδικ[όο][ςύ]? (?:προϊόντος|έκπτωσης|παραγγελίας|αποστολής|κουπονιού)|ταχυδρομικός κώδικας',
  '優惠碼|优惠码|优惠代码|折扣代码|产品代码|產品代碼|邮政代码|股票代码|源代码|錯誤代碼|错误代码|邮政编码|郵遞區號|折扣码|订单(?:号|编号|编码)|追踪码|追踪号|快递单号|商品编码|クーポンコード|郵便番号|注文(?:番号|コード)|追跡番号|商品コード|お問い?合わせ番号|쿠폰 ?(?:번호|코드)|주문 ?(?:번호|코드)|운송장 ?번호|우편 ?번호|할인 ?코드',
)
/** Words of meeting invitations: their numbers are shared by all participants. */
const meeting =
  /meeting id|webinar id|conference id|join (?:zoom|the meeting|by phone|microsoft teams)|zoom\.us\/j\/|teams\.microsoft\.com\/|webex|dial[- ]in|会议号|ミーティングID|회의 ID|besprechungs-?id|id de (?:réunion|reunión|la reunión)/i
const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー'
/** Zeros of other scripts, each the first of ten consecutive digits. */
const zeros = ['٠', '۰', '०', '০', '၀', '๐', '០', '０']
const foreign = zeros.map((zero) => `[${zero}-${String.fromCharCode(zero.charCodeAt(0) + 9)}]{4,8}`).join('|')
const foreignDigit = zeros.map((zero) => `${zero}-${String.fromCharCode(zero.charCodeAt(0) + 9)}`).join('')
/** Cheap tests that spare most lines {@link candidatesPattern}, and every search. */
const mayBeCandidate = new RegExp(`[\\d${foreignDigit}]|[A-Z]-[A-Z]|[A-Z] [A-Z] [A-Z]`)
const mayBeLetters =
  /[A-Z]{4}|[a-z][A-Z]|(?:^|[:：]|\b(?:is|ist|est|es|é|è|är|er|je|jest|lautet|to))[\s"'“«*_>]{0,6}[a-z]{3,8}(?!\p{L})|[A-Z]{3} [A-Z]{3}/u
const mayHold = new RegExp(`${mayBeCandidate.source}|[a-z]-[a-z]|${mayBeLetters.source}`, 'u')
const candidatesPattern = new RegExp(
  [
    `(?=[\\dA-Z${foreignDigit}])(?<!(?![${cjk}])[\\p{L}\\p{N}_@#$€£¥+./=%&?-]|\\d[:\\]]|\\d[\\dA-F]{3,7}:|\\d{3} |//[^\\s:]{0,60}:)`,
    '(?:[A-Z\\d](?:[ |·•-]{1,3}[A-Z\\d]){3,7}(?![ |·•-]{1,3}[A-Z\\d](?![\\p{L}\\d]))|\\d{2}[-.·]\\d{2}[-.·]\\d{2}|\\d{3}[._/]\\d{3}|(?!(?:19|20)\\d\\d )(?:\\d{4} \\d{2}|\\d{2} \\d{4}(?: \\d{2})?|\\d{3} \\d{2} \\d{2,3})(?! ?\\d| (?:min|sec|sek|hour|day|digit|stund|heur|jour|hora|godz|dní|dni))|\\d{3}-\\d{3}-\\d{2,3}|\\d{3}[ \\u2010-\\u2015\\u2212-]\\d{3,4}|\\d{4}[ \\u2010-\\u2015\\u2212-]\\d{4}|(?<!\\d )\\d{2} \\d{2} \\d{2}(?! ?\\d)|\\d{4,8}|G-\\d{6}|[A-Z]{2,4}-\\d{3}-\\d{2,3}|(?=[\\d-]*[A-F])[\\dA-F]{2}(?:-[\\dA-F]{2}){2,3}|[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}|[A-Z0-9]{3,4}-[A-Z0-9]{3,4}|(?=[A-Z]*\\d)[A-Z0-9]{5,10}|(?=\\d{0,3}[A-Z])(?=[A-Z]{0,3}\\d)[A-Z0-9]{4}',
    `|${foreign})`,
    `(?!(?![${cjk}])[\\p{L}\\p{N}_@€$£¥%]|[年月日时時分秒元円圆원년월일시분초人名个個件次点號号台回%]|(?!,\\d{1,2} ?(?:分|분|minutes?|min[^\\p{L}]))[.,:/-]\\d| \\d{3}|-[\\p{L}\\p{N}]| ?(?:USD|EUR|GBP|€|\\$|%|km|kg|mb|gb)(?![\\p{L}]))`,
  ].join(''),
  'gu',
)
/** Groups that other numbers and keys of tickets have as well: codes only right after a name for one, or alone. */
const inDoubt =
  /^(?:\d{4} \d{2}|\d{2} \d{4}(?: \d{2})?|\d{3} \d{2} \d{2,3}|[A-Z]{2,4}-\d{3,4})$|[\u2012-\u2015\u2212]/
/** Characters apart, or groups that dates, prices and versions have as well. */
const divided = /^(?:[A-Z\d](?:[ |·•-]{1,3}[A-Z\d])+|\d{2}[-.·]\d{2}[-.·]\d{2}|\d{3}[._/]\d{3})$/
const dateOrSum =
  /^(?:(?:0[1-9]|[12]\d|3[01])\W(?:0[1-9]|1[0-2])\W\d\d|\d\d\W(?:0[1-9]|1[0-2])\W(?:0[1-9]|[12]\d|3[01])|\d{3}[./]\d{3})$/
const dashedPair = /^\d{3,4}[\u2010-\u2015\u2212]\d{3,4}$/
/** Words joined by hyphens, or mixed case with digits: codes only if the text calls them so. */
const secrets =
  /(?=[A-Za-z\d])(?<![\p{L}\p{N}_./@#-])(?:[a-z]{3,8}(?:-[a-z]{3,8}){2,5}|(?=[A-Za-z!#$%&*?]{0,15}\d)(?=[\d!#$%&*?A-Z]{0,15}[a-z])(?=[\d!#$%&*?a-z]{0,15}[A-Z])[A-Za-z\d][A-Za-z\d!#$%&*?]{6,14}[A-Za-z\d!#$%&*])(?![\p{L}\p{N}_/@-]|[.:=]\S)/gu
/** Small letters with digits, or mixed case with digits, too short to be sure of; whole or in two groups. */
const small =
  /(?=[A-Za-z\d])(?<![\p{L}\p{N}_./@#&+=-])(?:(?=[a-z-]{0,9}\d)(?=[\d-]{0,9}[a-z])[a-z\d]{3,5}-[a-z\d]{3,5}|(?=[A-Za-z]{0,6}\d)(?=[A-Z\d]{0,6}[a-z])[A-Za-z\d]{4,7})(?![\p{L}\p{N}_/@-]|[.:=]\S)/gu
/** Cheap tests that spare most lines the costly patterns. */
const noMatches: Iterable<RegExpExecArray> = []
const [MAY_BE_SECRET, MAY_BE_SMALL] = [/\d|[a-z]-[a-z]/, /[A-Za-z]-?\d|\d-?[A-Za-z]/]
/** Letters alone: capitals, small, mixed, or in groups. */
const letters =
  /(?<![\p{L}\p{N}_./@#&+=-])(?:(?:[A-Z]{3} [A-Z]{3}|[A-Z]{4} [A-Z]{4}|[a-z]{3} [a-z]{3}|[a-z]{4} [a-z]{4})(?=[\s.*_"'»”)]{0,6}$)|[A-Z]{4,8}|[a-z]{3,8}(?:-[a-z]{3,8}){1,3}|(?!Mc|[A-Z][a-z]+(?![A-Za-z]))[A-Za-z]{4,8})(?![\p{L}\p{N}_/@-]|[.:=]\S)/gu
/** Words between a name for a code and what follows: "code to log in:", "código de verificación:". */
const wordsAndColon =
  /^(?:\p{Script=Thai}{1,30}|(?: [\p{L}\p{M}'’-]{1,16}\.?){1,5})(?:\s?[:：]|\s(?:is|ist|lautet|est|es|este|és|è|é|är|er|je|jest|on|to|είναι|е|là|adalah|ni|ay))\s{0,3}$/u
/** Names of sign-in codes, in languages that put them beside the word for a code. */
const ofSigningIn =
  /認証|認證|ログイン|サインイン|로그인|로그 인|確認|ワンタイム|验证|驗證|校验|登录|登入|인증|확인|verif|vérif|weryfik|secur|sécur|segur|sicur|sicher|acc[eéè]s|acceso|acesso|log ?in|sign ?in|bestätig|anmeld|einmal|connexion|connect|inici\p{L}{1,3} (?:de )?(?:sesi|sess)|entrar|inlogg|logga in|logge? (?:på|inn|ind)|kirjautu|giriş|logowani|zalog|přihl|jednoráz|прийти|увійти|войти|đăng nhập|σύνδεσ|doğrulama|bekräft|bekræft|vahvist|autent|authent|підтвердж|перевір|подтвержд|провероч|одноразов|потвържд|потврд|верифик|пријав|вход|вхід|увійти|ověř|overov|over[ií]|prihl|potvrd|potrdit|prijav|ellenőrz|bejelentk|megerősít|azonosít|onay|επαλήθευ|επιβεβα|patvirtin|prisijung|apstiprin|pieteik|kinnit|sisselog|staðfest|innskrán|egiazta|saioa|uthibitish|kuingia|pengesah|masuk|aanmeld|xác (?:minh|nhận|thực)|ยืนยัน|เข้าสู่|सत्याप|लॉग|যাচাই|লগ|சரிபார்|உள்நுழை|تحقق|تأكيد|دخول|تأیید|تایید|ورود|تصدیق|لاگ|אימות|התחבר|כניסה/iu
/** Phrases that ask the reader to type something. */
const typed =
  /(?<!\p{L})(?:introdu\p{L}{1,14}|ingres\p{L}{1,14}|digit\p{L}{1,14}|inseri\p{L}{0,14}|insira|saisi\p{L}{0,14}|entrez|geben sie|gib|enter|type|use|using|with|voer|ange|skriv|indtast|wpisz|zadejte|zadajte|введите|введіть|въведете|унесите|unesite|vnesite|įveskite|ievadiet|sisestage|syötä|kirjoita|írja be|adja meg|introduceți|sláðu inn|skriv inn|nhập|masukkan|weka|ilagay|idatzi|girin|acced\p{L}{1,14}|entrar|connect\p{L}{0,14}|log ?in|sign ?in|anmelden|verif\p{L}{0,14})(?!\p{L})|入力|输入|輸入|填写|입력|กรอก|ใส่|ป้อน|दर्ज|أدخل|ادخل|وارد کن|درج کر|הזינו|הזן|הקלד|লিখুন|உள்ளிட/iu
/** Words that such codes never contain, as in "tried-and-true" or "first-come-first-served". */
const joining =
  /(?:^|-)(?:and|the|for|but|not|any|out|off|per|all|one|two|new|non|pre|sub|come|served|free|like|wide|side|time|based|ready|friendly)(?:-|$)/
/** Signs and verbs, between a name and what follows, that present it as the code. */
const states =
  /[:：=はが是为為은는]|(?<!\p{L})(?:is|ist|lautet|est|es|è|é|são|er|är|on|jest|je|to|это|هي|هو|है|là|adalah)(?!\p{L})/iu
const telephone = /\+\d[\d ()./-]{5,24}\d/g
/** A British post code. */
const postCode = /\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/g
/** A domestic telephone number, after a word that announces one. */
const dialled =
  /((?<!\p{L})(?:call(?: us)?|our number is|phone|tel|telephone|fax|mobile|hotline|helpline|support line|dial|rufen sie|anrufen|telefon\p{L}{0,3}|kundenservice|appelez(?:-nous)?|téléphone|tél|llame|llámenos|teléfono|ligue|telefone|chiama|telefono|bel|telefoon|zadzwoń|infolinia|ring|puhelin|телефону?|тел|звоните|позвоните|дзвоніть)(?!\p{L})[^\d\n(]{0,16}|(?:고객 ?센터|대표 ?전화|전화(?:번호)?|문의|客服(?:电话|電話|热线|熱線)?|电话|電話|热线|熱線|お電話|フリーダイヤル|お問い?合わせ)[^\d\n(]{0,8})(\(?\d(?:[ ()./-]{0,2}\d){6,14})(?!\d)/giu
/** A year, or a date of digits alone. */
const year = /^(?:19|20)\d\d(?:(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01]))?$/

/** Form of model and version names, such as R5000 or SSH2. */
const model = /^(?:[A-Z]{1,8}\d{1,5}[A-Z]{0,2}|\d[A-Z]{2,})$/
/** The word that programmers use for their own work; alone it is a weak sign of a one-time code. */
const codePattern = /^(?:\w{1,20} )?codes?$/iu
const ofKind =
  /^(?:verification|verify|security|access|login|in|confirmation|authentication|auth|authorization|activation|temporary|magic|secret) code/i
/** Phrases before a word for a password: "482913 is your", "482913 as your". */
const asPassword =
  /^["'”»)\s]{0,3}(?:\s(?:is|as|ist|als|est|comme|es|como|è|come|é|är|som|er|is|to|jako|jest|je|как|як|[—–-]|это)\s|を$|作为|作為)(?:the |your |my |ihr\p{L}{0,2} |dein\p{L}{0,2} |votre |le |su |tu |mi |la |tua |sua |a |il |uw |je |ditt |din |twoj\p{L}{0,2} |twoim |vaše |ваш |твой |one[- ]time |temporary |new ){0,3}$/iu
/** Words that lead from a code to its name. */
const asPattern = /^\W{0,6}(?:is|ist|est|es|è|é|são|as|als|comme|como|come|som)(?!\p{L})/iu
const ofReader =
  /(?<!\p{L})(?:your|my|ihr\p{L}{0,2}|dein\p{L}{0,2}|votre|ton|su|tu|seu|sua|tuo|uw|je|din|ditt|twój)(?!\p{L})/iu
const leadsTo =
  /(?:[:：=]|(?<!\p{L})(?:is|are|ist|lautet|est|es|è|é|são|er|är|jest)|^)[\s"'“«»”*_[(（【]{0,6}$/iu
/** A verb at the end, before the thing that it introduces. */
const says = /(?<!\p{L})(?:is|ist|lautet|est|es|è|é|är|er|jest|je|on|это)\s{0,3}[:：]?\s{0,3}$/iu
/** Words that come before a year. */
const inYear =
  /(?<!\p{L})(?:in|since|until|from|of|by|im jahr|seit|en|depuis|desde|nel|dal|em|w|v roce|od)\s$/iu
/** Things that the number before them counts. */
const counts =
  /^ (?:(?:new|more|other|unique|different) )?(?:ms|sec|lines?|bytes?|bits?|characters|words|files|people|persons|users|members|votes|upvotes|likes|comments|entries|entrants|subscribers|customers|visitors|downloads|views|commits|stars|times|days|hours|minutes|seconds|years|rows|records|errors|warnings|tests|steps|items|pieces|points|pages|zeilen|zeichen|personen|leute|nutzer|kunden|mitglieder|dateien|seiten|lignes|personnes|utilisateurs|clients|membres|fichiers|caractères|líneas|personas|usuarios|clientes|caracteres|righe|persone|utenti|caratteri|linhas|pessoas|usuários|regels|mensen|gebruikers|rader|personer|användare|brugere|linii|osób|wierszy|řádků|lidí|sor|строк|человек|людей|пользователей|символов)(?!\p{L})/iu
/** Adjacent hexadecimal numbers, as crash dumps print them. */
const dumped = /(?:^|[\s<>])[\da-f]{8}[\s<>]{1,4}(?:<?[\da-f]{8})/i

/** "SAVE20", and the words near a discount code. */
const wordAndNumber = /^[A-Z]{3,8}\d{1,4}$/
const sale =
  /\b(?:check ?out|% off|off your|save|discount|coupon|promo|rabatt|sparen|réduction|remise|descuento|sconto|desconto|korting|zniżk\p{L}+|sleva|скидк\p{L}+)\b|\d ?%/iu
/** Travel and payments have confirmation or authorization codes that nobody types. */
const travel =
  /\b(?:flights?|boarding|seat|gate|itinerary|passengers?|check-?in|check-?out|hotel|nights?|departure|arrival)\b/giu
const ofTravel = /\bconfirmation code/gi
const receipt = /\b(?:receipt|terminal|merchant (?:id|no|number)|approved|approval)\b/iu
/** Deliveries in India have PIN codes, which name post offices. */
const sent =
  /\b(?:deliver(?:y|ed)?|ship(?:s|ped|ping|ment)?|courier|parcel|dispatch(?:ed)?|order|pick-?up|address)\b/giu
/**
 * Programs have codes that nobody types. One such word may occur in conversation; two or more show a report.
 */
const programs =
  /\b(?:crash(?:ed|es)?|exceptions?|api|http|stack ?trace|debug(?:ger)?|builds?|commits?|segfault|kernel|compiler|0x[\da-f]+)\b/g
const ofProgram =
  /(?<!\b(?:verification|security|access|login|in|sign-in|log-in|confirmation|authentication|activation|passcode|one-time|your|following|enter|enter this|use) )\bcodes?\b(?! is\b|\s*[:：])/gi
const ofPost = /\bpin ?codes?\b(?!\D{0,20}\d{4,5}(?!\d))/gi
const ofReceipt = /\bauth(?:orization|orisation)?\.? code/gi
/** Phrases that show that a code is for signing in. */
const signsIn =
  /\b(?:code (?:will )?expires?|expires (?:in|after|at)|valid for|(?:do not|don['’]t|never) share|to (?:sign|log) ?in)\b/iu

/** A size, as texts about programs have them. */
const size = /^\d{1,4}(?:[KMGT]B?|[KMG]HZ)$/

interface Candidate extends FoundCode {
  score: number
}

interface Line {
  text: string
  offset: number
  /** Length in the original text, if the characters of the code are separated there. */
  width?: number
}

/** Other spaces between the groups of a code; each is as long as a plain one. */
const withPlainSpaces = (text: string): string => text.replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')

/**
 * Finds one-time codes: groups of digits, or of capitals and digits, near a name for them in the main
 * languages. Skips other codes (discounts, post codes), years, sums and telephone numbers. Linear time.
 *
 * @returns at most 3 with their positions, the likeliest first
 */
export function findCodes(subject: string, text: string): FoundCode[] {
  known.clear()
  const [head, body] = [subject.slice(0, maxLine), text.slice(0, maxLength)].map(withPlainSpaces) as [
    string,
    string,
  ]
  const found = codesIn(head, body)
  const others = found.length > 0 ? namesOfOthers(`${head}\n${body}`) : []
  if (others.length === 0) return found
  const without = (part: string) =>
    others.reduce((left, name) => left.replace(name, (other) => ' '.repeat(other.length)), part)
  return codesIn(without(head), without(body))
}

function codesIn(subject: string, text: string): FoundCode[] {
  const inSubject = scored([{ text: subject, offset: 0 }], 'subject', '')
  const lines = linesOf(text)
  // Of the whole text first: one long search costs less than many short ones. Boxes are joined in lines alone.
  const mayMeet = meeting.test(text) || lines.some((line) => line.width !== undefined)
  const isMeeting = mayMeet && lines.some((line) => meeting.test(line.text))
  const ofMeeting = /pass|pin\b|kennwort|mot de passe|contrase|senha|密|パス|비밀|пароль|access code|id\b/i
  const inText = scored(
    isMeeting ? lines.filter((line) => !ofMeeting.test(line.text)) : lines,
    'text',
    subject,
  )
  const found = new Map<string, Candidate>()
  for (const candidate of [...inText, ...inSubject]) {
    const known = found.get(candidate.code)
    if (!known) found.set(candidate.code, candidate)
    else known.score += candidate.score
  }
  const sorted = [...found.values()].sort((a, b) => b.score - a.score)
  return sorted
    .filter(({ score }) => score >= Math.min(sorted[0]!.score, sure))
    .slice(0, maxCodes)
    .map(({ score: _, ...code }) => code)
}

/** Finds names in a message of this kind that look like those of one-time codes but are not. */
function namesOfOthers(mail: string): RegExp[] {
  if (signsIn.test(mail)) return []
  const others: RegExp[] = []
  if (mail.search(ofTravel) !== -1 && new Set(mail.toLowerCase().match(travel)).size >= 2)
    others.push(ofTravel)
  if (mail.search(ofProgram) !== -1 && new Set(mail.toLowerCase().match(programs)).size >= 2)
    others.push(ofProgram)
  if (mail.search(ofPost) !== -1 && new Set(mail.toLowerCase().match(sent)).size >= 2) others.push(ofPost)
  if (mail.search(ofReceipt) !== -1 && receipt.test(mail)) others.push(ofReceipt)
  return others
}

/** A code whose characters are in boxes of their own, on one line or one a line. */
const boxes =
  /^[[(|]? ?(?:[A-Z\d](?:[\])]?[ \t\u00a0|·•-]{1,3}[[(]?[A-Z\d]){3,9}|[a-z](?:[\])]?[ \t\u00a0|·•]{1,3}[[(]?[a-z]){4,9}) ?[\])|]?$/
/** Cheap tests for such a line; digits and spaces alone are found without boxes. */
const beginsBoxes = /^\s{0,20}[[(|]? ?[A-Za-z\d][ \t\u00a0|·•\])-]/
const ofBoxes = /[A-Za-z|·•\t[(-]| {2}/
const box = /^\s*[A-Z\d]\s*$/
const [MIN_BOXES, MAX_BOXES] = [4, 10]

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let offset = 0
  for (const line of text.split('\n')) {
    if (line.trim()) lines.push(lineOf(line, offset))
    offset += line.length + 1
  }
  return withoutBoxes(lines)
}

function lineOf(text: string, offset: number): Line {
  const isBoxed = text.length <= 60 && beginsBoxes.test(text) && ofBoxes.test(text) && boxes.test(text.trim())
  if (!isBoxed) return { text: text.slice(0, maxLine), offset }
  const start = text.search(/[A-Za-z\d]/)
  // A dash in a box of its own is part of a code of letters.
  const kept = /[A-Za-z]/.test(text) && /[A-Za-z\d] [A-Za-z\d]/.test(text) ? /[^A-Za-z\d-]/g : /[^A-Za-z\d]/g
  return {
    text: text.replace(kept, ''),
    offset: offset + start,
    width: withoutEnd(text, /[^A-Za-z\d]/).length - start,
  }
}

/** Joins lines of one character each. */
function withoutBoxes(lines: readonly Line[]): Line[] {
  const joined: Line[] = []
  for (let at = 0; at < lines.length; at++) {
    let end = at
    while (end < lines.length && lines[end]!.text.length <= 3 && box.test(lines[end]!.text)) end++
    const [first, last] = [lines[at]!, lines[end - 1]]
    if (end - at < MIN_BOXES || end - at > MAX_BOXES || !last) {
      joined.push(first)
      continue
    }
    const signs = lines.slice(at, end).map(({ text }) => text.trim())
    const offset = first.offset + first.text.search(/\S/)
    const width = last.offset + last.text.trimEnd().length - offset
    joined.push({ text: signs.join(''), offset, width })
    at = end - 1
  }
  return joined
}

function scored(lines: readonly Line[], where: FoundCode['in'], subject: string): Candidate[] {
  const found: Candidate[] = []
  const isOfSigning = mayName.test(subject) || signIn.test(subject)
  const mayBeNamed = lines.map(({ text }) => mayName.test(text))
  if (!isOfSigning && !mayBeNamed.includes(true)) return found
  const isNamed = (some: readonly Line[]) =>
    some.some(({ text }) => namesOf(text).codes.length > 0 || namesOf(text).passwords.length > 0)
  const isSubjectNamed = namesOf(subject).codes.length > 0
  for (const [at, line] of lines.entries()) {
    if (!isOfSigning && !mayBeNamed.slice(Math.max(0, at - 3), at + 4).includes(true)) continue
    if (!mayHold.test(line.text) || isEncoded(line.text) || dumped.test(line.text)) continue
    let names: Names | undefined
    const candidates = mayBeCandidate.test(line.text)
      ? withoutOthers(line.text).matchAll(candidatesPattern)
      : noMatches
    for (const match of candidates) {
      const before = line.text.slice(Math.max(0, match.index - 24), match.index)
      const after = line.text.slice(match.index + match[0].length)
      if (isOfOther(before, match[0]) || isNone.test(before) || isMasked(before, after)) continue
      if (wordAndNumber.test(match[0]) && sale.test(line.text)) continue
      if (year.test(match[0]) && inYear.test(line.text.slice(0, match.index))) continue
      if (counts.test(after)) continue
      const isAlone =
        withoutSigns(line.text).length === withoutSigns(match[0]).length &&
        !(model.test(match[0]) && /\.\s*$/.test(line.text))
      names ??= namesOf(line.text)
      const isInDoubt = inDoubt.test(match[0]) || divided.test(match[0])
      if (isInDoubt && !(isAlone && !dateOrSum.test(match[0])) && !isSaid(line.text, match, names)) continue
      const isNamedAbove = isAlone && isNamed(lines.slice(Math.max(0, at - 3), at))
      const isNamedBelow = isAlone && !isNamedAbove && isNamed(belowOf(lines, at))
      const score =
        nearness(line.text, match, names) +
        (isNamedAbove ? 3 : isNamedBelow ? 2 : 0) +
        (isAlone && isSubjectNamed ? 2 : 0) +
        (isAlone && signIn.test(subject) && isLimited(lines, at) ? 3 : 0)
      if (score < 1 || size.test(match[0]) || (year.test(match[0]) && score < 3)) continue
      const length = line.width ?? match[0].length
      found.push({ ...codeOf(match), length, in: where, offset: line.offset + match.index, score })
    }
    const add = (match: RegExpExecArray) =>
      found.push({
        ...{ code: match[0], length: line.width ?? match[0].length },
        ...{ in: where, offset: line.offset + match.index, score: 3 },
      })
    if (MAY_BE_SECRET.test(line.text))
      for (const match of line.text.matchAll(secrets)) if (isSecret(lines, at, match)) add(match)
    if (MAY_BE_SMALL.test(line.text))
      for (const match of line.text.matchAll(small)) if (isSmallCode(lines, at, match, subject)) add(match)
    if (mayBeLetters.test(line.text))
      for (const match of line.text.matchAll(letters)) if (isLetterCode(lines, at, match, subject)) add(match)
  }
  return found
}

/** A subject about signing in. */
const signIn =
  /(?<!\p{L})(?:(?:sign|log)(?:ging|ing)?[- ]?in|logon|authenticat\p{L}{1,14}|verif\p{L}{1,14}|anmeld\p{L}{1,14}|einloggen|connexion|connecter|inici\p{L}{1,3} (?:de )?sesi[óo]n|accesso|accedi|acesso|acceso|inloggen|logga in|log ind|logg inn|logowani\p{L}{0,14}|přihlášení|вход\p{L}?|giriş\p{L}{0,4}|kirjau\p{L}{1,14}|bejelentkez\p{L}{1,8}|belépés\p{L}{0,4}|conectar\p{L}{1,3}|autentific\p{L}{1,8}|prihl[aá]s\p{L}{1,8}|prijav\p{L}{1,6}|přihlas\p{L}{1,8}|prisijung\p{L}{1,6}|пријав\p{L}{1,6}|вхід|увійти|войти|влизане|влезте|σύνδεση\p{L}?|συνδεθείτε|תתחבר|התחברות|כניסה|đăng nhập|masuk|aanmelden|iniciar sessão|začni|nyskráning|innskráning\p{L}{0,3}|logga in på|login)(?!\p{L})|تسجيل الدخول|ورود|เข้าสู่ระบบ|लॉग ?इन|登錄|サインイン|登录|登入|ログイン|認証|验证|驗證|로그인|인증/iu
/** Phrases that limit how long something is valid. */
const limited =
  /(?<!\p{L})(?:valid|expires?|good for|active for|works for|gültig|läuft|valable|expire|válid\p{L}|caduca|vence|valido|valida|scade|geldig|giltig|gyldig|ważny|platí|действ\p{L}{1,14}|дійс\p{L}{1,10}|валид\p{L}{1,6}|geçerli|voimassa|érvényes|valabil|platn\p{L}{1,3}|velja\p{L}{0,3}|važi|vrijedi|kehtib|galioja|derīgs|ισχύει|hiệu lực|berlaku|sah)(?!\p{L}).{0,40}?(?:\d{1,2}|ten|five|fifteen|twenty|thirty|sixty|one|an|zehn|fünf|fünfzehn|dreißig|einer|dix|cinq|quinze|trente|une|diez|cinco|quince|una|dez|uma|dieci|cinque|un)\s?(?:min|hour|hr|stund|heure|hora|ora|ore|uur|tim|godz|hod|perc|óra|λεπτ|ώρ|phút|giờ|menit|jam|хв|год|мин|час|dak|saat)|\d{1,2}\s?(?:min|stund|dak|saat|tim)\p{L}{0,6} (?:lang |boyunca |lång )?(?:gültig|valid|geldig|giltig|gyldig|geçerli)|(?:\d{1,2}|[一二三五十])\s?(?:分|分钟|分鐘|분|時間|小时)/iu

/** Returns whether a line nearby limits how long something is valid. */
const isLimited = (lines: readonly Line[], at: number): boolean =>
  lines.slice(Math.max(0, at - 2), at + 4).some(({ text }) => limited.test(text))

const withoutSigns = (text: string): string => text.replace(/[\s*_`"'«»“”|·•>:.\-[\]()【】［］「」/]+/gu, '')

/** Returns whether a name for a code is right before a number, or the text calls the number a code. */
const isSaid = (line: string, { 0: number, index }: RegExpExecArray, { codes, passwords }: Names): boolean =>
  asPattern.test(line.slice(index + number.length)) ||
  [...codes, ...passwords].some((name) => {
    const between = line.slice(name.index + name[0].length, index)
    if (name.index >= index || between.length > nearChars) return false
    if (link.test(between)) return /[\d-]/.test(number) || isSignInName(line, name)
    const isNamed = wordsAndColon.test(between) && isSignInName(line, name, between)
    return isNamed && (divided.test(number) || dashedPair.test(number)) && !dateOrSum.test(number)
  })

/** Returns whether the text calls words or letters a code for signing in. */
function isSecret(lines: readonly Line[], at: number, { 0: secret, index }: RegExpExecArray): boolean {
  const { text } = lines[at]!
  const isOfWords = secret.includes('-')
  if (isOfWords && joining.test(secret)) return false
  const isFew = isOfWords && secret.split('-').length < 4
  const namesIn = (line: string) => {
    const { codes, passwords } = namesOf(line)
    return [...(isOfWords ? [] : passwords), ...codes.filter((name) => isOfSignIn(line, name))]
  }
  const isAlone = text.replace(/[\s*_`"'«»“”>]+/gu, '') === secret
  if (isAlone) return lines.slice(Math.max(0, at - 2), at).some((line) => namesIn(line.text).length > 0)
  return (
    !isFew &&
    namesIn(text).some(({ 0: name, index: start }) => {
      const between = text.slice(start + name.length, index)
      return start < index && leadsToPassword(between) && states.test(between)
    })
  )
}

const isAlone = ({ text }: Line, code: string): boolean => text.replace(/[\s*_`"'«»“”>]+/gu, '') === code

/** Names of codes right before a position, with the text between. */
const namesBefore = (text: string, index: number): { name: RegExpExecArray; between: string }[] =>
  namesOf(text)
    .codes.map((name) => ({ name, between: text.slice(name.index + name[0].length, index) }))
    .filter(({ name, between }) => name.index + name[0].length <= index && between.length <= nearChars)

const isSignInName = (text: string, name: RegExpExecArray, between = ''): boolean =>
  isOfSignIn(text, name) ||
  ofSigningIn.test(`${text.slice(Math.max(0, name.index - 20), name.index)}${name[0]}${between}`)

/** Returns the text right after a name. */
const restOf = (text: string, { index, 0: name }: RegExpExecArray): string =>
  text.slice(index + name.length, index + name.length + nearChars)

/** Returns whether a name for a sign-in code is in one of the two lines above. */
const isSignInAbove = (lines: readonly Line[], at: number): boolean =>
  lines
    .slice(Math.max(0, at - 2), at)
    .some(({ text }) =>
      namesOf(text).codes.some(
        (name) => isSignInName(text, name, restOf(text, name)) || (typed.test(text) && !sale.test(text)),
      ),
    )

/** Returns whether such a name is right above or in the subject. */
const isSignInNear = (lines: readonly Line[], at: number, subject: string): boolean =>
  isSignInAbove(lines, at) || isSignInAbove([{ text: subject, offset: 0 }], 1)

/** Returns whether the text calls a few small letters and digits a code. */
function isSmallCode(
  lines: readonly Line[],
  at: number,
  { 0: code, index }: RegExpExecArray,
  subject: string,
): boolean {
  const { text } = lines[at]!
  if (!isAlone(lines[at]!, code) && !/[:：=はが是为為]|\s(?:is|ist|est|es|è|é|är|er|on|jest)\s/.test(text))
    return false
  if (isAlone(lines[at]!, code)) return isSignInNear(lines, at, subject)
  return namesBefore(text, index).some(
    ({ name, between }) =>
      ((link.test(between) && states.test(between)) || wordsAndColon.test(between)) &&
      isSignInName(text, name, between),
  )
}

/** Shorter letters before "to sign in" may be those of a protocol or a company. */
const minUnnamed = 6
/** Returns whether "to sign in" or "to verify" is right after a position. */
const isPurpose = ({ index, 0: name }: RegExpExecArray, end: number): boolean =>
  index === end + 1 && /^to /i.test(name)

const buys =
  /\b(?:check ?out|till|discount|coupon|promo|save [€$£]?\d|rabatt|sparen|réduction|remise|descuento|sconto|desconto|korting|sleva)\b|zniżk|скидк|\d ?% off|-\d\d ?%/iu
/** Returns whether a line or one near it is about a discount. */
const isOfSale = (lines: readonly Line[], at: number): boolean =>
  sale.test(lines[at]!.text) || lines.slice(Math.max(0, at - 2), at + 3).some(({ text }) => buys.test(text))

/** Returns whether groups of letters are no words; of groups of one length with hyphens, one is enough. */
function areNoWords(groups: readonly string[], hasHyphens: boolean): boolean {
  const areEqual = hasHyphens && groups.every((group) => group.length === groups[0]!.length)
  return areEqual ? groups.some(isNoWord) : groups.every(isNoWord)
}

/** Returns whether letters are a code: right after a name for one, and not a word of a language. */
function isLetterCode(
  lines: readonly Line[],
  at: number,
  { 0: code, index }: RegExpExecArray,
  subject: string,
): boolean {
  const { text } = lines[at]!
  if (isOfSale(lines, at)) return false
  const isRandom = areNoWords(code.split(/[ -]/), code.includes('-'))
  if (!isRandom && (!/[:：]/.test(text) || code !== code.toUpperCase())) return false
  if (isAlone(lines[at]!, code)) return isRandom && isSignInNear(lines, at, subject)
  const after = text.slice(index + code.length)
  if (isRandom && asPattern.test(after)) return namesOf(after).codes.some((name) => isSignInName(after, name))
  if (
    isRandom &&
    code.length >= minUnnamed &&
    namesOf(text).codes.some((name) => isPurpose(name, index + code.length))
  )
    return true
  return namesBefore(text, index).some(({ name, between }) => {
    const isStated = (link.test(between) && states.test(between)) || wordsAndColon.test(between)
    if (isStated && (signIn.test(subject) || isSignInName(text, name, between)))
      return !isStatus(code) && (isRandom || (/^\W*$/.test(after) && /[:：]/.test(between)))
    return isRandom && /^\s["'“«„(]{0,2}$/.test(between) && typed.test(text)
  })
}

/** Returns whether a name for a code means one for signing in, not one of a program. */
const isOfSignIn = (line: string, { 0: name, index }: RegExpExecArray): boolean => {
  const before = line.slice(Math.max(0, index - 20), index + name.length)
  return ofKind.test(name) || /passw|otp|2fa/i.test(name) || ofReader.test(before) || types.test(before)
}
const types = /\b(?:enter|type|copy|paste) (?:this|the|these)\b/i

const endsWithLink = (text: string): boolean => /https?:\/\/\S/.test(text.trimEnd().split(/\s/).at(-1)!)

/** Returns the next line, past the links of buttons. */
function belowOf(lines: readonly Line[], at: number): readonly Line[] {
  const below = lines.slice(at + 1, at + 4)
  const first = below.findIndex(({ text }) => !endsWithLink(text))
  return first === -1 ? [] : below.slice(first, first + 1)
}

/** Returns whether the text before a number shows that it counts or numbers something else. */
const isOfOther = (before: string, number: string): boolean =>
  counted.test(before) || (number.length <= maxFew && countedFew.test(before))

/** Returns whether a number is the visible part of a masked one: "57******2", "•••• 4471". */
const isMasked = (before: string, after: string): boolean =>
  /[*•●]{3}\s?$/.test(before) ? !/^\s?[*•●]{3}/.test(after) : /^[*•●]{3}/.test(after)

/** Words at the end, before something that is no code or only an example of one. */
const isNone =
  /(?<!\p{L})(?:not|nicht|pas|(?:not|don['’]t|never) (?:choose|use|pick|take)|such as|for example,?|e\.g\.,?|zum beispiel|z\. ?b\.|par exemple|por ejemplo)\s["'“„«]?$/iu

/** Words before the numbers of other things. */
const counted =
  /(?:^|[^\p{L}])(?:end(?:ing|s) (?:in|with)|endet auf|endend auf|(?:se terminant|terminée?) par|termin(?:a|ad[ao]) en|termina(?:nte)? con|eindig(?:t|end) op|slut(?:ar|tar) på|slutter på|lines?|room|call|dial|version|(?:pull|merge) request|build|year|port|orders?|invoice|reservation|booking|requisition|receipt|patient|policy|parcel|tracking|reference|ticket|case|issue|error|errors|customer|user|account|flight|gate|suite|apartment|extension|raum|rechnung|bestellung|kunde|kundenkonto|konto|compte|cuenta|rfc|iso|iec|din|ieee|commande|facture|pedido|factura|fattura|ordine|bestelling|zamówienie|objednávka|objednávky|rendelés|comanda|sipariş|ordre|tilaus|заказ|заказа|замовлення|поръчка|παραγγελία|pesanan|rendelésszám|tellimus)(?: ?(?:no\.?|nr\.?|number|nummer|id|#|№|č\.|n[º°]|numero|numéro|número|numer|número do|номер))?\s?[:：]?\s?$|(?:رقم (?:الطلب|الفاتورة|الحجز|العميل)|מספר (?:הזמנה|לקוח|חשבונית)|(?:nomor|no\.?) (?:pesanan|resi|faktur|pelanggan)|m[ãa] [đd][ơo]n(?: h[àa]ng)?|số đơn hàng|หมายเลขคำสั่งซื้อ|(?:学号|學號|工号|卡号|会员号|會員編號|客户(?:号|编号)|账号|帐号|尾号|学籍番号|会員番号|お客様番号|顧客番号|학번|사번|고객 ?번호|회원 ?번호)|订单号?|訂單(?:編號)?|주문번호|№)\s?[:：]?\s?$/iu
/** As {@link counted}, for things whose numbers have at most {@link maxFew} digits. */
const countedFew =
  /(?:^|[^\p{L}])(?:pages?|chapter|section|item|step|zeile|seite|ligne)(?: ?(?:no\.?|nr\.?|number|#))?\s?[:：]?\s?$/iu
const maxFew = 4
/** Returns whether words between a name for a password and what follows present that as the password. */
const leadsToPassword = (between: string): boolean =>
  between.length <= 30
    ? link.test(between) || forThing.test(between)
    : between.length <= nearChars && forThing.test(between)
/** Returns whether a line is data: a long one in ASCII without a space. */
const isEncoded = (line: string): boolean =>
  line.length > 50 && !/\s/.test(line.trim()) && /^[\x21-\x7e]+$/.test(line.trim())
const mayBeDialled = /\d[\d ()./-]{5,}\d/
const withoutOthers = (text: string) => {
  if (!/\d/.test(text)) return text
  const left = text
    .replace(telephone, (number) => '.'.repeat(number.length))
    .replace(postCode, (code, at: number) => (isLedTo(text.slice(0, at)) ? code : '.'.repeat(code.length)))
  return mayBeDialled.test(left)
    ? left.replace(dialled, (all, word: string, number: string, at: number) =>
        isForPhone(left.slice(0, at), word) ? all : word + '.'.repeat(number.length),
      )
    : left
}

/**
 * Returns whether a sentence without another number names a code before a telephone: the number is the code,
 * sent to the telephone.
 */
function isForPhone(before: string, word: string): boolean {
  if (/call|dial|line|ring|ligue|llam|appel|ruf/i.test(word)) return false
  const sentence = `${before}${word.replace(/\b(?:tel|тел)\./iu, '')}`.split(/[.!?;。]\s/).at(-1)!
  return !/\d{3}/.test(sentence) && namesOf(sentence).codes.length > 0
}

/** Returns whether a name for codes is right before. */
function isLedTo(before: string): boolean {
  const near = before.slice(-nearChars)
  return namesOf(near).codes.some(({ index, 0: name }) =>
    /^(?:is\s*)?[:：]?$/.test(near.slice(index + name.length).trim()),
  )
}

/** Names for codes in a line, which are sought when they are needed. */
class Names {
  readonly #text: string
  #codes: RegExpExecArray[] | undefined
  #passwords: RegExpExecArray[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  get codes(): RegExpExecArray[] {
    this.#codes ??= hasName.test(this.#text) ? [...blanked(this.#text).matchAll(namePhrases)] : []
    return this.#codes
  }

  get passwords(): RegExpExecArray[] {
    this.#passwords ??= hasPassword.test(this.#text) ? [...blanked(this.#text).matchAll(passwordPhrases)] : []
    return this.#passwords
  }
}

/** Names in the lines of the message that is read now: several numbers ask for those of one line. */
const known = new Map<string, Names>()

function namesOf(text: string): Names {
  const names = known.get(text) ?? new Names(text)
  known.set(text, names)
  return names
}

/** Blanks the names of other codes and keeps all positions. */
const blanked = (text: string) => text.replace(otherNames, (name) => ' '.repeat(name.length))

/** Scores how near a name for codes is, 0 to 3: before the code it counts more than after. */
function nearness(line: string, match: RegExpExecArray, names: Names): number {
  const end = match.index + match[0].length
  let best = 0
  for (const name of names.codes) {
    const before = match.index - (name.index + name[0].length)
    const after = name.index - end
    if (isProgramCode(line, match, name)) continue
    if (before >= 0 && before <= nearChars) best = Math.max(best, before <= 20 ? 3 : 2)
    if (after >= 0 && after <= nearChars)
      best = Math.max(
        best,
        /^\s*(?:is|ist|est|es|è|é|são|—|–|-|:|：|は|是|为|ist)\b/iu.test(line.slice(end)) ? 3 : 1,
      )
  }
  // "Your code for the payment of 12 EUR to DE89 3704 0044 is: 580137", at any length.
  if (best === 0 && /^\W*$/u.test(line.slice(end)) && says.test(line.slice(0, match.index)))
    if (names.codes.some((name) => name.index < match.index && !isProgramCode(line, match, name))) best = 2
  for (const name of names.passwords) {
    const between = line.slice(name.index + name[0].length, match.index)
    if (name.index < match.index && leadsToPassword(between)) best = 3
    if (name.index >= end && asPassword.test(line.slice(end, name.index))) best = 3
  }
  return best
}

/** Returns whether a name for codes means program codes, judged by its place beside a number or a model. */
function isProgramCode(line: string, match: RegExpExecArray, name: RegExpExecArray): boolean {
  if (!codePattern.test(name[0]) || ofKind.test(name[0])) return false
  const isModel = model.test(match[0])
  const end = match.index + match[0].length
  if (name.index < end) {
    const between = line.slice(name.index + name[0].length, match.index)
    return isModel && !leadsTo.test(between)
  }
  const between = line.slice(end, name.index + name[0].length)
  return !ofReader.test(between) && (isModel || (!asPattern.test(between) && between.length > 6))
}

function codeOf([written]: RegExpExecArray): Pick<FoundCode, 'code'> {
  const digits = written
    .replace(/^G-/, '')
    .replaceAll('\u00a0', ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[^\0-\x7f]/g, asciiDigit)
  const isApart = /^[A-Z\d](?:[ |·•-]{1,3}[A-Z\d])+$/.test(digits)
  const code = isApart || /^[\d ._/·-]+$/.test(digits) ? digits.replace(/[^A-Z\d]/g, '') : written
  return { code }
}

function asciiDigit(digit: string): string {
  const zero = zeros.find((one) => digit >= one && digit.charCodeAt(0) <= one.charCodeAt(0) + 9)
  return zero === undefined ? digit : String(digit.charCodeAt(0) - zero.charCodeAt(0))
}
