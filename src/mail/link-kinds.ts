import type { FoundLink } from '../protocol/records/message'

/** Scripts without spaces between words, or with vowel signs that are no letters: phrases match anywhere. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u0900-\u0dff]/u
/** Start of a phrase in another script than Latin: one test spares texts in Latin letters all of them. */
const foreign = '[\\u0370-\\uffff]'
const isForeign = new RegExp(`^(?:\\(\\?:)?${foreign}`)

/** Phrases between bars, with groups up to two deep. */
const alternatives = /(?:[^|()]|\((?:[^()]|\([^()]*\))*\))+/g

/**
 * Makes a pattern of phrases in lower case that match whole words; `*` after a word allows any ending. Single
 * words stand together, since engines find one of many literals at once.
 */
function anyOf(phrases: string): RegExp {
  const all = phrases.match(alternatives)!
  const apart = all.filter((phrase) => unspaced.test(phrase))
  const whole = all.filter((phrase) => !unspaced.test(phrase))
  const latin = wholeWords(whole.filter((phrase) => !isForeign.test(phrase)))
  const others = wholeWords(whole.filter((phrase) => isForeign.test(phrase)))
  return new RegExp(
    `(?<!\\p{L})(?:${latin}|(?=${foreign})(?:${others}))(?!\\p{L})|(?=${foreign})(?:${apart.join('|')})`,
    'u',
  )
}

function wholeWords(phrases: readonly string[]): string {
  const words = phrases.filter((phrase) => /^\p{L}+$/u.test(phrase))
  const stems = phrases.filter((phrase) => /^\p{L}+\*$/u.test(phrase)).map((stem) => stem.slice(0, -1))
  const others = phrases.filter((phrase) => !/^\p{L}+\*?$/u.test(phrase))
  const spaced = others.map((one) => one.replaceAll('*', '\\p{L}{0,12}').replaceAll(' ', '[-_ \\u200c]{0,2}'))
  return [...spaced, `(?:${stems.join('|') || '(?!)'})\\p{L}{0,12}`, ...words].join('|')
}

/** A password in the main languages, with the words that may come before it. */
const password =
  '(?:(?:your|my|the|a|new|ihr|dein|mein|das|neues|le|votre|ton|mon|un|nouveau|la|tu|su|mi|una|nueva|a|sua|tua|minha|nova|uma|il|il tuo|uw|je|jouw|het|nieuw|ditt|mitt|nytt|din|dit|nyt|ny|nowe|swoje|twoje|nové|své|új|noua|en|et|ei|ett|la teva|naują|jauno|uue|uus|novo|ang|na|новый|ваш|свой|новий|yeni) ){0,3}(?:pass ?word*|pass ?code|passwd|passwort*|kennwort*|mot de passe|contraseña*|contrasenya|clave|senha|palavra passe|wachtwoord*|lösenord*|adgangskode*|passord*|salasana*|hasł*|hesl*|jelsz*|parol*|şifre*|lozink*|gesl*|slaptažod*|пароль|пароля|паролю|парола|парол*|лозинк*|κωδικ*|סיסמ*|mật khẩu|mat khau|kata sandi|sandi|kata laluan|lykilorð*|wagwoord*|pasahitz*|contrasinal|cyfrinair|fjalëkalim*|parool*|şifr*|nenosiri)'

/** Kinds of links by their words or address; the first match counts. */
const kinds: readonly (readonly [FoundLink['kind'], RegExp])[] = [
  [
    'unsubscribe',
    anyOf(
      'unsubscrib*|opt out|optout|abmelden|abmeldung|abbestell*|austragen|désabonn*|desabonn*|(?:se |vous )?désinscri*|desuscri*|desuscríb*|darse de baja|dar de baja|date de baja|dese de baja|darme de baja|cancel* (?:la |tu |su |a |sua |l.|il )?(?:suscrip*|inscri*|assinatura|subscri*|abbonamento)|anular (?:la |tu |su |a |sua )?(?:suscrip*|subscri*|inscri*)|cancella (?:l.)?iscrizione|cancel·la (?:la )?subscripció|don(?:a.t|ar se) de baixa|darse de baixa|descadastr*|remover inscri*|annulla* (?:l.)?iscrizione|disiscri*|cancellati|afmelden|uitschrijv*|avregistrera*|avprenumerera*|avsluta prenumeration*|sluta prenumerera|frameld*|afmeld*|afmelding|meld (?:deg|dig|meg) (?:av|af)|avmeld*|avslutt abonnement*|peruuta (?:[\\p{L}]{1,20} )?tilaus*|peru (?:[\\p{L}]{1,20} )?tilaus*|lopeta tilaus|poistu postituslistalta|wypisz*|zrezygnuj z (?:subskrypcji|newslettera|otrzymywania)|rezygnacja|anuluj subskrypcj*|odhlásit (?:odběr|se z odběru)|odhlásiť (?:sa z )?odber*|zrušiť odber*|zrušit odběr|afskrá*|segja upp áskrift*|harpidetza (?:kendu|utzi|ezeztatu)|(?:kendu|utzi|ezeztatu) harpidetza|dad danysgrifio|çabonohu|çregjistrohu|atteikties no (?:jaunum*|abon*|ziņ*)|abunəliyi ləğv|abunəlikdən çıx*|jiondoe|acha kupokea|teken uit|kanselleer inskrywing|berhenti melanggan|leiratkoz*|dezabon*|odjav*|одјав*|отпис*|отпиш*|отказат* от (?:рассылки|подписки)|відпис*|абонамент* отказ|abonelikten (?:çık*|ayrıl*)|aboneliği* (?:iptal*|sonlandır*)|listeden çık*|διαγραφή|διαγραφείτε|κατάργηση εγγραφής|απεγγραφή|הסר*|להסרה|ביטול (?:רישום|מנוי|הרשמה)|إلغاء الاشتراك|الغاء الاشتراك|لغو (?:عضویت|اشتراک)|hủy đăng ký|huỷ đăng ký|ngừng nhận|berhenti (?:berlangganan|langganan)|batal langganan|nyahlanggan*|loobu*|atsisakyti|atrakstī*|सदस्यता (?:समाप्त|रद्द)|अनसब्सक्राइब|সদস্যতা বাতিল|আনসাবস্ক্রাইব|குழுவிலக|சந்தாவை ரத்து|չեղարկել բաժանորդագր*|გამოწერის გაუქმება|رکنیت ختم|ان سبسکرائب|ยกเลิกการติดตาม|メールマガジンを?解除|ยกเลิกการรับ|ยกเลิกการสมัคร|ยกเลิกรับ|退订|退訂|取消订阅|取消訂閱|配信を?停止|配信を?解除|購読を?解除|登録を?解除|수신 ?거부|구독 ?취소|구독 ?해지',
    ),
  ],
  [
    'reset',
    anyOf(
      `(?:reset*|forgot*|recover*|chang*|set|choos*|creat*|updat*) (?:up )?${password}|new password|pass ?(?:word|code|wort)? reset*|passwort*(?: [\\p{L}]{1,12}){0,2} (?:zurück*|ändern|vergessen|festlegen|setzen)|neues (?:passwort|kennwort)|(?:neues )?kennwort(?: [\\p{L}]{1,12}){0,2} (?:zurück*|ändern)|passwort*zurück*|réinitialis*|(?:chang|modifi|défini|choisi|récupér|cré)(?:er|ez|e|r|ssez|ssons|r un)? (?:de )?${password}|nouveau mot de passe|(?:restablec|restabléc|cambi|recuper|cre|elig|elij|modific|actualiz|defin|redefin|redefín|troc|troqu|alter|reimpost|ripristin|impost)\\p{L}{0,8} ${password}|restablec*|redefin*|reimposta*|nueva contraseña|nova senha|nuova password|${password} (?:kiezen|aanmaken|terugstellen|aldatu|berrezarri|ezarri|opnieuw instellen|resetten|herstellen|wijzigen|vergeten|instellen|sıfırla*|değiştir*|yenile*|oluştur*|helyreállítás*|visszaállítás*|módosítás*|beállítás*|visszaállít*|glemt|glömt|unohtunut)|(?:stel|wijzig|herstel) ${password}|(?:återställ*|byt|bytt|endurstill*|breyt*|atkur*|pakei*|nustat*|atiestat*|main*|lähtest*|muuda|muut*|loo|restableix|canvia|canviar|berrezarri|aldatu|ailosod|newid|rivendos*|ndrysho*|weka upya|badilisha|verander|palitan|i reset|setel ulang|promeni*|spremeni*|ponovno postavi*|промени*|ресет*|смяна|промяна|ändra|välj|skapa|nulstil*|ændr|skift|vælg|tilbakestill*|endre|velg|vaihda|palauta|nollaa|aseta|zresetuj*|resetuj*|ustaw*|zmień*|odzyskaj*|obnov*|resetov*|změn*|nastav*|zvol*|zmeni*|reset*|schimb*|seteaz*|promijeni*|resetiraj*|ponastavi*|сброс*|измен*|восстанов*|смен*|зада*|созда*|скин*|відновит*|змінит*|встановит*|нулира*|възстанов*|επαναφορά|αλλαγή|ορισμός|δημιουργία) (?:του |τον |на )?${password}|uusi salasana|(?:visszaállít*|új) jelsz*|(?:איפוס|שחזור|שינוי|אפס|לאיפוס) (?:ה)?סיסמ*|(?:إعادة تعيين|تغيير|استعادة|اعادة تعيين) كلمة*|(?:بازنشانی|تغییر|بازیابی) (?:رمز|گذرواژه|کلمه)*|(?:đặt lại|đổi|thay đổi|khôi phục) (?:mật khẩu|mat khau)|(?:atur ulang|setel ulang|reset|ubah|tetapkan semula|tukar) (?:kata sandi|kata laluan)|पासवर्ड (?:रीसेट|बदल*)|รีเซ็ตรหัสผ่าน|เปลี่ยนรหัสผ่าน|ตั้งรหัสผ่าน|পাসও.{1,2}ার্ড|கடவுச்சொல்|పాస్.?వర్డ్|पासवर्ड सेट|नया पासवर्ड|پاس ورڈ (?:ری سیٹ|تبدیل|بدل*)|პაროლის (?:აღდგენა|შეცვლა)|(?:վերականգնել|փոխել) գաղտնաբառ*|tạo (?:mật khẩu|mat khau)|(?:重置|重設|重设|重新设置|修改|变更|變更|更改|找回|設定|设置|设定|設置)(?:您的|你的)?(?:新的?)?密[码碼]|新しいパスワード|パスワードの?(?:を)?(?:再設定|リセット|変更)|비밀번호`,
    ),
  ],
  [
    'confirm',
    anyOf(
      'confirm(?!ation (?:number|no))*|conferm*|re confirm*|unconfirm*|(?:re ?)?verif*|activat*|activación|activati*|activez|activer|activar|active (?:su|tu|la|sua|seu|o)|activa (?:tu|su|la|il|el|a|o|tua|sua)|activați*|activează*|validat*|validación|validazione|valid(?:er|ez|ar|are|ere|eer)|valide (?:su|tu|seu|sua)|valida (?:tu|su|la|il|tua|sua)|bestätig*|aktivier*|freischalt*|verifizier*|vérifi*|attiva|attivare|attivazione|attivi|ativ(?:ar|e|ação)|ative (?:a|sua|seu)|bevestig*|verifieer*|activeer*|bekräfta*|verifiera*|aktivera*|bekræft*|bekreft*|aktiver*|vahvista*|aktivoi*|todenna|potwierd*|zweryfikuj*|weryfik*|aktywuj*|aktywac*|potvrd*|potrdi*|ověř*|over*(?= (?:e ?mail|adres|účet))|aktivov*|megerősít*|erősítse|erősítsd|aktivál*|verifică*|verificați*|подтвер*|актив*|верифи*|підтверд*|перевірте|потвърд*|потврд*|επιβεβαί*|επαλήθευ*|επαληθεύ*|ενεργοποί*|onayla*|doğrula*|etkinleştir*|aktifleştir*|aktive et*|patvirtin*|apstiprin*|kinnita*|aktivir*|aktyvuo*|aktivizē*|aktivizo*|aktiveeri*|activeren|aktivér*|aktibatu|aktivləşdir*|staðfest*|virkja*|επιβεβαι*|baieztatu|berretsi|egiaztatu|cadarnhau|gwirio|deimhni*|ikkonferma*|konfirmo*|kumpirma*|təsdiq*|растау|tasdiqla*|пацвер*|пацвяр*|баталгаажуул*|հաստատե*|დადასტურ*|ያረጋግጡ|(?:complet*|finish*|finali[sz]e) (?:your |the |my |el |tu |su |la |il |seu |o |l.|mon |votre )?(?:registr*|cadastro|inscri*|sign ?up|signing up|enrol*)|(?:conclu|termin|finali[sz])\\p{L}{1,4} (?:o |seu |l.|mon |votre |el |tu )?(?:cadastro|registo|registro|inscri*)|registrierung abschließen|dokończ* rejestrac*|dokončit registraci|dokončiť registráciu|regisztráció befejezése|заверш* (?:регистрац|реєстрац)*|(?:fullfør|slutför|fuldfør)* registrering*|viimeistele rekister*|voltooi (?:je |uw )?registratie|registratie voltooien|kaydı tamamla*|אימות|לאימות|אשר|אישור|לאישור|אמת|הפעל*|تأكيد|تاكيد|أكد|تفعيل|تحقق|التحقق|تأیید|تایید|فعال سازی|xác (?:nhận|minh|thực)|xac (?:nhan|minh|thuc)|kích hoạt|konfirmasi*|verifikasi*|aktifkan*|aktivasi|sahkan*|pengesahan|thibitisha|सत्यापित|सत्यापन|पुष्टि|सक्रिय|যাচাই|নিশ্চিত কর|সক্রি.{1,2} কর|உறுதி|சரிபார்|செயல்படுத்த|నిర్ధారిం|ధృవీకరిం|ధ్రువీకరిం|സ്ഥിരീകരി|ದೃಢೀಕರಿಸ|ಪರಿಶೀಲಿಸ|ચકાસ|પુષ્ટિ|ਪੁਸ਼ਟੀ|ਪੁਸ਼ਟੀ|තහවුරු|បញ្ជាក់|ຢືນຢັນ|အတည်ပြု|تصدیق|فعال کریں|認證|认证|(?:啟動|启动)(?:您的|你的)?[帳账]|完成注册|完成註冊|登録を?完了|가입 ?완료|ยืนยัน|เปิดใช้งาน|确认|確認|验证|驗證|激活|啟用|启用|認証|本登録|有効化|인증|확인|활성화',
    ),
  ],
  [
    'sign-in',
    anyOf(
      'magic link|sign in|signin|sign me in|log in|login|log me in|passwordless|anmelden|einloggen|zur anmeldung|connectez vous|se connecter|me connecter|connexion|(?:inici|inicie|inicia|iniciar|inicio)(?:ar)?(?: de)? sesi[óo]n|iniciar sessão|inicie sessão|acceder|accede a|accede|ingres* a (?:mi|tu|su) cuenta|entrar(?! n[ao] (?:equipe|time|grupo|projeto|servidor))|fa(?:zer|ça) login|acess(?:ar|e) (?:a |sua |minha )?conta|accedi|accedere|effettua (?:il |l.)?(?:login|accesso)|inloggen|aanmelden|logga in|log ind|logg inn|logg deg inn|log på|kirjaudu*|sisäänkirjaut*|zaloguj*|logowani*|přihlásit*|přihlaste*|přihlášení|prihlás*|bejelentkez*|jelentkez* be|belépés*|skrá inn|skráðu þig inn|innskrá*|inici(?:a|ar|eu) (?:la )?sessió|hasi saioa|saioa hasi|sartu|mewngofnodi|logáil isteach|kyçu|daxil ol*|kirish|meld aan|teken in|кіру|შესვლა|մուտք գործել|ግባ|لاگ ان|سائن ان|autentific*|conect(?:ează te|are|ați vă)|intră în cont|войти|войдите|вход|увійти|увійдіть|вхід|влез*|пријав*|prijav*|prisijung\\p{L}{0,12}(?! prie)|pieslēg*|ieiet|logi sisse|giriş yap*|oturum aç*|σύνδεση|συνδεθείτε|είσοδος|התחבר*|להתחברות|כניסה|לכניסה|تسجيل الدخول|سجل الدخول|سجّل الدخول|ورود|đăng nhập|dang nhap|masuk|log masuk|ingia|लॉग ?इन|साइन ?इन|লগ ?ইন|সাইন ?ইন|உள்நுழை|లాగిన్|సైన్ ఇన్|ലോഗിൻ|ಲಾಗಿನ್|ಸೈನ್ ಇನ್|લૉ?ગ ?ઇન|લોગ ?ઇન|ਲਾਗ ?ਇਨ|登陆|登陸|เข้าสู่ระบบ|ลงชื่อเข้าใช้|登录|登入|登錄|ログイン|サインイン|로그인',
    ),
  ],
  [
    'invite',
    anyOf(
      'invit(?:e|es|ed|ing|ation|ations|ar|ación|ado|é|ée|er|o|ato|azione|are|ante|e d)?|join|accept|accept (?:the |this |your )?invit*|einladung*|rejoindre|rejoignez|unirse|únete|unirte|aceptar|participar|entre no|unisciti|accetta|uitnodiging*|deelnemen|word lid|beitreten|deltag|tilslut dig|bli med|(?:samþykkja|þiggja) boð*|prijať pozv*|pripojiť sa|pripojte sa|присъедин*|прихват* позив*|prihvat* poziv*|pridruž*|povabil*|kvietim*|prisijung\\p{L}{0,12} prie|uzaicinājum*|pievienojies|pievienoties|kutse|liitu*|convite|entrar n[ao] (?:equipe|time|grupo|projeto|servidor)|invitació|uneix te|gonbidapen*|batu taldera|gabung|sertai|imbitasyon|sumali|mwaliko|jiunge|sluit aan|πρόσκλησης|الدعوة|شامل ہوں|ההזמנה|הצטרפות|მოწვევ*|inbjud*|gå med|invitation*|invitasjon*|kutsu*|liity|zaproszeni*|dołącz*|pozván*|připoj*|meghív*|csatlakoz*|invitați*|alătur*|приглаш*|присоедин*|запрош*|приєдна*|покан*|davet*|katıl*|πρόσκληση|συμμετοχή|הזמנה|להצטרפות|دعوة|انضم*|دعوت|lời mời|tham gia|undangan|bergabung|jemputan|निमंत्रण|आमंत्रण|शामिल हों|আমন্ত্রণ|যোগ দিন|அழைப்பை ஏற்|அழைப்பிதழ்|குழுவில் சேர|คำเชิญ|เข้าร่วม|邀请|邀請|加入|招待|参加|초대|참여',
    ),
  ],
]

/** Refusals: a link word after them means that something was not done or failed. */
const refusedBefore =
  /(?:(?:never|jamais|nunca|niemals)\s(?:(?!forget|oubli|olvid|vergess)\p{L}{1,12}\s){0,4}|(?:do not|don[’']t)\s(?:click|tap|press|follow)\s(?:\p{L}{1,12}\s){0,3}|(?:^|\s)ne\s|(?:not|n[’']t|cannot|unable to|failed to|nicht|pas|no|non|não|niet|inte|ikke|nie|не)\s(?:been |be |yet |to )?|(?:impossible de|no (?:se )?(?:pudo|pudimos|puede|ha podido)|non (?:è stato |è )?possibile|não (?:foi possível|conseguimos)|nie udało się|не удалось|не вдалося|nepodařilo se|kunde inte|kunne ikke|fal(?:ha|la|ló) (?:na|no|en(?: la| el)?|de(?: la)?|ao|al)|échec (?:de (?:la |l.)?|du )|fehler bei (?:der|ihrer)|error (?:al|de|en la|na|nella)|błąd|ошибка|помилка|chyba(?: při)?|fel vid|fejl ved|virhe)\s?)$/u
const refusedAfter =
  /^\s?(?:has |was |is |had |request |link |ist |wurde |konnte |a |è |nie )?(?:failed|failure|error|expired|rejected|refused|denied|blocked|unsuccessful|not |nicht\b|fehlgeschlagen|échou|falló|fallita|falhou|mislukt|misslyckades|mislykkedes|powiodł|(?:się )?nie |не |selhal|zlyhal|başarısız|epäonnistui|απέτυχε|eșuat|nem sikerült|sikertelen|gagal|thất bại)|^(?:\s\p{L}{1,12})?\s(?:failed|failure|impossible|échou|fehlgeschlagen|fallid|fallit|falhou|mislukt|misslyck|mislyk|selhal|başarısız|impossibile|imposible|impossível|невозможн|не выполнен|неуспешн)|^(?:に|が|は)?(?:失敗|失败|できません|できない)|^(?:에|이|가)? ?실패|^(?:未|不)(?:成功|通过|通過)/u

/**
 * Returns the kind of link that lower-case words or a path name; null for none, or if they report a refusal.
 */
export function kindOfWords(words: string): FoundLink['kind'] | null {
  for (const [kind, pattern] of kinds) {
    if (isNamed(words, pattern)) return kind
  }
  return null
}

const maxTries = 4

/** Returns whether words match at a place that reports no refusal. */
function isNamed(words: string, pattern: RegExp): boolean {
  let start = 0
  for (let tries = 0; tries < maxTries; tries++) {
    const found = pattern.exec(words.slice(start))
    if (!found) return false
    const end = start + found.index + found[0].length
    const before = words.slice(0, start + found.index).slice(-40)
    if (!refusedBefore.test(before) && !refusedAfter.test(words.slice(end, end + 30))) return true
    start = end
  }
  return false
}
