/** Captions of links, by kind: each line has a language and its captions between bars. */
export const captions = {
  confirm: `
    en:Confirm my email|Verify account|Activate|Complete registration|Finish signing up
    de:E-Mail-Adresse bestätigen|Konto aktivieren|Registrierung abschließen|Jetzt freischalten
    fr:Confirmer mon adresse|Vérifier mon compte|Activer mon compte|Valider mon inscription|Je confirme
    es:Confirmar correo|Verifica tu cuenta|Activar cuenta|Completar registro|Validar mi cuenta
    pt:Confirmar e-mail|Verificar conta|Ativar conta|Concluir cadastro|Validar meu e-mail
    it:Conferma indirizzo|Verifica il tuo account|Attiva account|Completa la registrazione
    nl:E-mailadres bevestigen|Account activeren|Bevestig je adres|Verifieer je account
    sv:Bekräfta e-postadress|Verifiera konto|Aktivera konto
    da:Bekræft e-mail|Aktivér konto|Verificer konto
    no:Bekreft e-post|Aktiver konto|Verifiser konto
    fi:Vahvista sähköposti|Aktivoi tili
    is:Staðfesta netfang|Staðfestu netfangið þitt|Virkja reikning
    pl:Potwierdź e-mail|Zweryfikuj konto|Aktywuj konto|Dokończ rejestrację
    cs:Potvrdit e-mail|Ověřit účet|Aktivovat účet|Dokončit registraci
    sk:Potvrdiť e-mail|Overiť účet|Aktivovať účet
    hu:E-mail megerősítése|Fiók aktiválása|Erősítse meg e-mail-címét|Regisztráció befejezése
    ro:Confirmă adresa|Verifică contul|Activează contul|Confirmați adresa
    tr:E-postayı onayla|Hesabı doğrula|Hesabı etkinleştir|E-postanı onayla
    ru:Подтвердить адрес|Активировать аккаунт|Подтвердите почту|Завершить регистрацию
    uk:Підтвердити адресу|Активувати обліковий запис|Завершити реєстрацію
    bg:Потвърдете имейла|Активирайте акаунта|Потвърди
    sr:Потврди адресу|Активирај налог|Potvrdi adresu
    hr:Potvrdi e-poštu|Aktiviraj račun|Potvrdite adresu
    sl:Potrdi e-naslov|Aktiviraj račun
    mk:Потврди ја адресата|Активирај сметка
    el:Επιβεβαίωση email|Ενεργοποίηση λογαριασμού|Επαλήθευση|Επιβεβαιώστε το email σας
    lt:Patvirtinti el. paštą|Aktyvuoti paskyrą
    lv:Apstiprināt e-pastu|Aktivizēt kontu
    et:Kinnita e-post|Aktiveeri konto
    ca:Confirma el correu|Verifica el compte|Activa el compte
    eu:Baieztatu helbidea|Berretsi helbidea|Egiaztatu kontua|Aktibatu kontua
    gl:Confirmar enderezo|Verificar conta|Activar conta
    cy:Cadarnhau cyfeiriad|Gwirio cyfrif
    ga:Deimhnigh do sheoladh
    mt:Ikkonferma l-indirizz
    sq:Konfirmo adresën|Verifiko llogarinë|Aktivizo llogarinë
    ja:メールアドレスを確認する|認証する|アカウントを有効化|本登録を完了する|登録を完了する
    zhs:确认邮箱|验证邮箱|激活账户|完成注册
    zht:確認信箱|驗證電子郵件|認證信箱|啟用帳號|啟動帳戶|完成註冊
    ko:이메일 인증|이메일 확인|계정 활성화|가입 완료하기
    vi:Xác nhận email|Kích hoạt tài khoản|Xác minh tài khoản
    id:Konfirmasi email|Verifikasi akun|Aktifkan akun
    ms:Sahkan e-mel|Aktifkan akaun
    tl:Kumpirmahin ang email|I-verify ang account|I-activate ang account
    th:ยืนยันอีเมล|เปิดใช้งานบัญชี
    hi:ईमेल सत्यापित करें|ईमेल की पुष्टि करें|खाता सक्रिय करें
    bn:ইমেইল নিশ্চিত করুন|ইমেইল যাচাই করুন|অ্যাকাউন্ট সক্রিয় করুন
    ta:மின்னஞ்சலை உறுதிப்படுத்து|மின்னஞ்சலைச் சரிபார்க்கவும்|கணக்கைச் செயல்படுத்து
    te:ఇమెయిల్ నిర్ధారించండి|ఖాతాను ధృవీకరించండి
    ml:ഇമെയിൽ സ്ഥിരീകരിക്കുക
    kn:ಇಮೇಲ್ ದೃಢೀಕರಿಸಿ
    mr:ईमेल सत्यापित करा|खाते सक्रिय करा
    gu:ઇમેઇલ ચકાસો|ઇમેઇલની પુષ્ટિ કરો
    pa:ਈਮੇਲ ਦੀ ਪੁਸ਼ਟੀ ਕਰੋ
    ur:ای میل کی تصدیق کریں|اکاؤنٹ فعال کریں
    fa:تأیید ایمیل|فعال‌سازی حساب
    ar:تأكيد البريد|تفعيل الحساب|التحقق من البريد
    he:אימות כתובת|אישור כתובת המייל|הפעלת החשבון
    am:ኢሜይል ያረጋግጡ
    ka:ელფოსტის დადასტურება
    hy:Հաստատել էլ. փոստը
    az:E-poçtu təsdiqlə|Hesabı aktivləşdir
    kk:Поштаны растау
    uz:Emailni tasdiqlash
    sw:Thibitisha barua pepe
    af:Bevestig e-posadres
    ne:इमेल पुष्टि गर्नुहोस्
    si:ඊමේල් තහවුරු කරන්න
    km:បញ្ជាក់អ៊ីមែល
    lo:ຢືນຢັນອີເມວ
    my:အီးမေးလ် အတည်ပြုပါ
    mn:Имэйл баталгаажуулах
    be:Пацвердзіць адрас
  `,
  'sign-in': `
    en:Log in|Sign in to Shop|Sign me in
    de:Anmelden|Jetzt einloggen|Zum Login
    fr:Se connecter|Connexion|Connectez-vous|Me connecter
    es:Iniciar sesión|Inicia sesión|Acceder|Entrar|Ingresar a mi cuenta
    pt:Entrar|Iniciar sessão|Fazer login|Acessar conta
    it:Accedi|Effettua l'accesso
    nl:Inloggen|Log in|Aanmelden
    sv:Logga in
    da:Log ind
    no:Logg inn
    fi:Kirjaudu sisään
    is:Skrá inn|Skráðu þig inn|Innskráning
    pl:Zaloguj się|Logowanie
    cs:Přihlásit se|Přihlaste se
    sk:Prihlásiť sa
    hu:Bejelentkezés|Jelentkezzen be|Belépés
    ro:Autentificare|Conectare|Conectează-te|Intră în cont
    tr:Giriş yap|Oturum aç|Giriş yapın
    ru:Войти|Вход|Войдите в аккаунт
    uk:Увійти|Вхід
    bg:Вход|Влезте
    sr:Пријави се|Prijavi se
    hr:Prijava|Prijavite se
    sl:Prijava|Prijavi se
    el:Σύνδεση|Συνδεθείτε
    lt:Prisijungti
    lv:Pieslēgties|Ieiet
    et:Logi sisse
    ca:Inicia la sessió|Inicia sessió
    eu:Hasi saioa|Saioa hasi|Sartu
    gl:Iniciar sesión
    cy:Mewngofnodi
    ga:Logáil isteach
    sq:Kyçu
    ja:ログイン|サインイン
    zhs:登录|登陆
    zht:登入|登錄
    ko:로그인
    vi:Đăng nhập
    id:Masuk
    ms:Log masuk
    tl:Mag-log in|Mag-sign in
    th:เข้าสู่ระบบ|ลงชื่อเข้าใช้
    hi:लॉग इन करें|साइन इन करें
    bn:লগ ইন করুন|সাইন ইন করুন
    ta:உள்நுழையவும்|உள்நுழைக
    te:లాగిన్ చేయండి|సైన్ ఇన్ చేయండి
    ml:ലോഗിൻ ചെയ്യുക
    kn:ಲಾಗಿನ್ ಮಾಡಿ
    mr:लॉग इन करा
    gu:લૉગ ઇન કરો
    pa:ਲਾਗ ਇਨ ਕਰੋ
    ur:لاگ ان کریں|سائن ان کریں
    fa:ورود
    ar:تسجيل الدخول|سجل الدخول
    he:התחברות|כניסה
    am:ግባ
    ka:შესვლა
    hy:Մուտք գործել
    az:Daxil ol
    kk:Кіру
    uz:Kirish
    sw:Ingia
    af:Meld aan|Teken in
  `,
  reset: `
    en:Reset password|Choose a new password|Change your password|Set up your password
    de:Passwort zurücksetzen|Neues Passwort festlegen|Kennwort ändern|Passwort neu setzen
    fr:Réinitialiser le mot de passe|Changer de mot de passe|Modifier mon mot de passe|Choisir un nouveau mot de passe
    es:Restablecer contraseña|Cambiar contraseña|Crear nueva contraseña|Recuperar contraseña
    pt:Redefinir senha|Alterar palavra-passe|Criar nova senha|Recuperar senha
    it:Reimposta password|Cambia password|Crea una nuova password|Ripristina password
    nl:Wachtwoord opnieuw instellen|Wachtwoord wijzigen|Wachtwoord herstellen|Nieuw wachtwoord kiezen
    sv:Återställ lösenord|Byt lösenord|Välj nytt lösenord|Återställ ditt lösenord
    da:Nulstil adgangskode|Skift adgangskode|Vælg en ny adgangskode
    no:Tilbakestill passord|Bytt passord|Velg nytt passord|Endre passord
    fi:Vaihda salasana|Palauta salasana|Nollaa salasana|Aseta uusi salasana
    is:Endurstilla lykilorð|Breyta lykilorði|Endurstilltu lykilorðið
    pl:Zresetuj hasło|Zmień hasło|Ustaw nowe hasło|Resetowanie hasła
    cs:Obnovit heslo|Změnit heslo|Nastavit nové heslo|Resetovat heslo
    sk:Obnoviť heslo|Zmeniť heslo
    hu:Jelszó visszaállítása|Új jelszó beállítása|Jelszó módosítása
    ro:Resetează parola|Schimbă parola|Resetați parola|Resetare parolă
    tr:Şifreyi sıfırla|Parolayı sıfırla|Şifreni yenile|Şifre sıfırlama
    ru:Сбросить пароль|Изменить пароль|Восстановить пароль|Сменить пароль|Задать новый пароль
    uk:Скинути пароль|Змінити пароль|Відновити пароль
    bg:Нулиране на парола|Смяна на парола|Нулирай паролата
    sr:Ресетуј лозинку|Resetuj lozinku|Promeni lozinku
    hr:Resetiraj lozinku|Ponovno postavi lozinku|Promijeni lozinku
    sl:Ponastavi geslo|Spremeni geslo
    el:Επαναφορά κωδικού|Αλλαγή κωδικού πρόσβασης|Επαναφορά του κωδικού
    lt:Atkurti slaptažodį|Pakeisti slaptažodį|Nustatyti naują slaptažodį
    lv:Atiestatīt paroli|Mainīt paroli
    et:Lähtesta parool|Muuda parooli
    ca:Restableix la contrasenya|Canvia la contrasenya
    eu:Berrezarri pasahitza|Aldatu pasahitza
    gl:Restablecer contrasinal|Cambiar contrasinal
    cy:Ailosod cyfrinair
    sq:Rivendos fjalëkalimin|Ndrysho fjalëkalimin
    ja:パスワードを再設定|パスワードをリセット|パスワードの変更|新しいパスワードを設定
    zhs:重置密码|修改密码|设置新密码|找回密码
    zht:重設密碼|變更密碼|更改密碼|重置密碼|設定新密碼
    ko:비밀번호 재설정|비밀번호 변경
    vi:Đặt lại mật khẩu|Đổi mật khẩu|Tạo mật khẩu mới
    id:Atur ulang kata sandi|Reset kata sandi|Ubah kata sandi|Setel ulang sandi
    ms:Tetapkan semula kata laluan|Tukar kata laluan
    tl:I-reset ang password|Palitan ang password
    th:รีเซ็ตรหัสผ่าน|เปลี่ยนรหัสผ่าน|ตั้งรหัสผ่านใหม่
    hi:पासवर्ड रीसेट करें|पासवर्ड बदलें|नया पासवर्ड सेट करें
    bn:পাসওয়ার্ড রিসেট করুন|পাসওয়ার্ড পরিবর্তন করুন|পাসওয়ার্ড বদলান
    ta:கடவுச்சொல்லை மீட்டமை|கடவுச்சொல்லை மாற்றவும்
    te:పాస్‌వర్డ్ రీసెట్ చేయండి
    mr:पासवर्ड रीसेट करा
    ur:پاس ورڈ ری سیٹ کریں|پاس ورڈ تبدیل کریں
    fa:بازنشانی رمز عبور|تغییر رمز عبور|بازیابی گذرواژه
    ar:إعادة تعيين كلمة المرور|تغيير كلمة المرور
    he:איפוס סיסמה|שינוי סיסמה|איפוס הסיסמה
    ka:პაროლის აღდგენა
    hy:Վերականգնել գաղտնաբառը
    az:Şifrəni sıfırla
    sw:Weka upya nenosiri|Badilisha nenosiri
    af:Stel wagwoord terug|Verander wagwoord
  `,
  unsubscribe: `
    en:Unsubscribe|Opt out
    de:Abmelden|Newsletter abbestellen|Vom Newsletter abmelden|Austragen
    fr:Se désabonner|Se désinscrire|Désinscription|Me désabonner
    es:Darse de baja|Cancelar suscripción|Darme de baja|Anular suscripción|Desuscribirse
    pt:Cancelar inscrição|Descadastrar|Cancelar subscrição|Anular subscrição|Descadastre-se
    it:Annulla iscrizione|Disiscriviti|Cancellati|Cancella iscrizione|Disiscrizione
    nl:Uitschrijven|Afmelden
    sv:Avregistrera|Avsluta prenumerationen|Avprenumerera
    da:Afmeld nyhedsbrev|Frameld
    no:Meld deg av|Avslutt abonnementet|Avmelding
    fi:Peruuta tilaus|Lopeta tilaus|Peru uutiskirjeen tilaus
    is:Afskrá|Segja upp áskrift|Afskráning
    pl:Wypisz się|Zrezygnuj z subskrypcji|Anuluj subskrypcję|Rezygnacja
    cs:Odhlásit odběr|Odhlásit se z odběru|Zrušit odběr
    sk:Odhlásiť odber|Odhlásiť sa z odberu|Zrušiť odber
    hu:Leiratkozás|Leiratkozom
    ro:Dezabonare|Dezabonează-te
    tr:Abonelikten çık|Listeden çık|Aboneliği iptal et
    ru:Отписаться|Отказаться от рассылки|Отписка
    uk:Відписатися|Відписка
    bg:Отписване|Отпишете се|Отпиши ме
    sr:Одјава|Odjavi se|Одјави се
    hr:Odjava|Odjavite se
    sl:Odjava|Odjavi se
    el:Διαγραφή|Κατάργηση εγγραφής|Απεγγραφή
    lt:Atsisakyti prenumeratos|Atsisakyti naujienlaiškio
    lv:Atrakstīties|Atteikties no jaunumiem
    et:Loobu tellimusest|Loobu uudiskirjast
    ca:Cancel·la la subscripció|Dona't de baixa|Donar-se de baixa
    eu:Harpidetza kendu|Kendu harpidetza|Utzi harpidetza
    gl:Cancelar subscrición|Darse de baixa
    cy:Dad-danysgrifio
    sq:Çabonohu|Çregjistrohu
    ja:配信停止|配信を停止する|メールマガジンを解除|購読解除|登録解除
    zhs:退订|取消订阅
    zht:取消訂閱|退訂
    ko:수신거부|구독 취소
    vi:Hủy đăng ký|Ngừng nhận email
    id:Berhenti berlangganan|Batal langganan
    ms:Nyahlanggan|Berhenti melanggan
    tl:Mag-unsubscribe
    th:ยกเลิกการรับข่าวสาร|ยกเลิกการสมัคร|ยกเลิกการติดตาม
    hi:सदस्यता समाप्त करें|सदस्यता रद्द करें|अनसब्सक्राइब करें
    bn:সদস্যতা বাতিল করুন|আনসাবস্ক্রাইব করুন
    ta:குழுவிலகு|சந்தாவை ரத்துசெய்
    ur:رکنیت ختم کریں|ان سبسکرائب کریں
    fa:لغو اشتراک|لغو عضویت
    ar:إلغاء الاشتراك|الغاء الاشتراك
    he:הסרה מרשימת התפוצה|ביטול רישום|להסרה
    ka:გამოწერის გაუქმება
    hy:Չեղարկել բաժանորդագրությունը
    az:Abunəliyi ləğv et|Abunəlikdən çıx
    sw:Jiondoe|Acha kupokea
    af:Teken uit|Kanselleer inskrywing
  `,
  invite: `
    en:Accept invitation|Join the team|Accept|View invitation
    de:Einladung annehmen|Team beitreten
    fr:Accepter l'invitation|Rejoindre l'équipe
    es:Aceptar invitación|Unirse al equipo|Únete
    pt:Aceitar convite|Entrar na equipe|Participar
    it:Accetta l'invito|Unisciti al team
    nl:Uitnodiging accepteren|Deelnemen|Word lid van het team
    sv:Acceptera inbjudan|Gå med
    da:Accepter invitation|Deltag|Tilslut dig
    no:Godta invitasjonen|Bli med
    fi:Hyväksy kutsu|Liity tiimiin
    is:Samþykkja boð|Þiggja boð
    pl:Zaakceptuj zaproszenie|Dołącz do zespołu
    cs:Přijmout pozvání|Přijmout pozvánku|Připojit se
    sk:Prijať pozvanie|Pripojiť sa
    hu:Meghívó elfogadása|Csatlakozás
    ro:Acceptă invitația|Alătură-te echipei
    tr:Daveti kabul et|Ekibe katıl
    ru:Принять приглашение|Присоединиться
    uk:Прийняти запрошення|Приєднатися
    bg:Приемете поканата|Присъединете се
    sr:Прихвати позив|Prihvati poziv
    hr:Prihvati pozivnicu|Pridruži se
    sl:Sprejmi povabilo|Pridruži se
    el:Αποδοχή πρόσκλησης|Συμμετοχή
    lt:Priimti kvietimą|Prisijungti prie komandos
    lv:Pieņemt uzaicinājumu|Pievienoties
    et:Võta kutse vastu|Liitu meeskonnaga
    ca:Accepta la invitació|Uneix-te a l'equip
    eu:Onartu gonbidapena|Batu taldera
    gl:Aceptar convite|Aceptar a invitación
    ja:招待を承諾|招待を受ける|チームに参加
    zhs:接受邀请|加入团队
    zht:接受邀請|加入團隊
    ko:초대 수락|팀 참여하기
    vi:Chấp nhận lời mời|Tham gia nhóm
    id:Terima undangan|Gabung tim|Bergabung
    ms:Terima jemputan|Sertai pasukan
    tl:Tanggapin ang imbitasyon|Sumali
    th:ตอบรับคำเชิญ|เข้าร่วมทีม
    hi:निमंत्रण स्वीकार करें|आमंत्रण स्वीकार करें|टीम में शामिल हों
    bn:আমন্ত্রণ গ্রহণ করুন|দলে যোগ দিন
    ta:அழைப்பை ஏற்கவும்|குழுவில் சேரவும்
    ur:دعوت قبول کریں|ٹیم میں شامل ہوں
    fa:پذیرش دعوت|قبول دعوت‌نامه
    ar:قبول الدعوة|انضم إلى الفريق
    he:קבלת ההזמנה|הצטרפות לצוות
    ka:მოწვევის მიღება
    sw:Kubali mwaliko|Jiunge na timu
    af:Aanvaar uitnodiging|Sluit aan
  `,
} as const
