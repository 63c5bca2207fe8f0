const anyOf = (patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'iu')

/** Subjects of programs that return mail, in the main languages. */
export const FAILURE_SUBJECT = anyOf([
  'undeliver(?:able|ed)|nondeliver|non[- ]?delivery|non remis|not delivered|unzustellbar|onbestelbaar',
  'fail(?:ed|ure) (?:notice|mail|deliver)|failed mail|mail (?:delivery )?(?:failed|failure|error|problem)',
  'mail (?:system|delivery|processing) (?:error|warning|problem|failed|failure|notification|report)',
  'deliver\\w* (?:status|failure|failed|failing|problem|report|warning|notif\\w*|error|incomplete|delay\\w*|unsuccess\\w*|has failed)',
  'deliver mail failed|delivery (?:has )?(?:failed|failure)|(?:error|problem|trouble)[\\s\\w]{0,20} (?:sending|delivering|delivery)',
  'return(?:ed|ing) (?:mail|message|e-?mail|to sender)|(?:mail|message) returned',
  'could not (?:be )?(?:deliver|send|sent)|cannot (?:be deliver|send)|unable to deliver|not been delivered',
  'warning: (?:message|mail|could not|[^ ]{1,64}@)|warning--could not|message delayed|delivery delay|processing error',
  'user unknown|unknown user|mailbox (?:is )?full|rejected (?:mail|message)|message rejected|mail rejected',
  'nicht zugestellt|zustellung fehlgeschlagen|zustellungsfehler|unzustellbarkeit',
  "échec (?:de (?:la )?)?(?:remise|distribution|livraison)|echec de|non distribu|n['’]a pas pu être",
  'no (?:se )?(?:pudo|ha podido)[\\s\\w]{0,12} ?entreg|no entregad|error (?:de|en la) entrega|fallo (?:de|en la) entrega|devuelto',
  'mancata consegna|mancato recapito|non consegnat|errore di consegna|impossibile recapitare',
  'não (?:foi |é possível |pode ser )?entreg|não pôde ser entregue|falha (?:na|de) entrega|devolvid',
  'niet (?:te bezorgen|bezorgd|afgeleverd|verzonden)|kunde inte lever|ikke leveres|kunne ikke lever|ei voitu toimittaa',
  'niedostarcz|nie (?:można )?dostarcz|kan inte levereras|kan ikke leveres|nedoruč|kézbesíthetetlen|teslim edilemedi|iletilemedi',
  'не (?:может быть )?доставлен|недоставлен|не удалось доставить|не доставлено',
  '配信(?:エラー|不能|失敗|できません|不可)|送信(?:エラー|できません)|配送(?:エラー|できません|不能)|届きません|返送|メール(?:エラー|送信できません)',
  '退信|无法(?:发送|投递|送达)|投递失败|发送失败|無法(?:傳送|投遞|遞送|傳遞)|系统退信|배달(?:되지| 못함|할 수)|전송 실패|반송',
])

/** Phrases of their text. */
export const FAILURE_TEXT = anyOf([
  "(?:could|can|would|was|were|has|have|did|does)(?: not|n['’]t|not)(?: yet)?(?: be| been)? (?:deliver|reach|sent|send|receive)",
  'unable to (?:deliver|send|forward|be delivered|establish)|not able to deliver|error deliver|trouble deliver|difficulty deliver',
  'undeliver(?:able|ed)|non-deliver|deliver\\w* (?:to|of|for)? ?[^.]{0,60}(?:failed|failure|aborted|delayed|postponed|unsuccessful)',
  'fail(?:ed|ure)s? (?:recipient|address|to deliver|reason|delivery)|deliver\\w* (?:error|problem|failure|failed|status)',
  'permanent(?:ly)? (?:fatal )?(?:error|failure|failed)|fatal error|returned (?:mail|message|to sender|because)|has been returned',
  '(?:user|recipient|address|mailbox|account|host|domain|addressee) (?:name )?(?:is )?(?:unknown|unavailable|not found|not known|disabled|invalid|rejected|full)',
  '(?:unknown|invalid|no such|bad|nonexistent) (?:local )?(?:user|recipient|address|mailbox|host|domain|account|final)',
  "(?:does|did)(?: not|n['’]t) (?:exist|have an? [\\w.-]{1,60} account|exactly match|accept)|exceed\\w* (?:\\w+ ){0,3}(?:quota|size|limit)|over quota|quota (?:exceeded|violation)",
  '(?:mail)?(?:box|folder) (?:is |was )?full|no mailbox here|transcript of session|delivery (?:status )?notification',
  '(?:rejected|refused) by|rejected a message|was rejected|smtp error|rcpt to:|said: ?[45]\\d\\d|may not exist|encountered (?:an error|delivery problems)',
  'no longer (?:valid|exists|active)|message[\\s\\w]{0,20} (?:is|been) delayed|will be retried|address(?:\\(es\\)|es)? failed',
  "n['’]a pas (?:pu|été)|non remis|adresse[^.]{0,40}n['’]existe pas|konnten? nicht|nicht zugestellt|unzustellbar|unbekannt",
  "no (?:se )?(?:pudo|ha podido|pudieron)|no existe|no fue entregad|non (?:è|e[´`']) stat\\w (?:possibile|consegnat|recapitat)|impossibile (?:recapitare|consegnare)",
  'não (?:pôde|foi (?:possível|entregue)|pode|existe)|desconhecid|nao (?:pode|foi)|kon(?:den)? niet|kan niet worden|niet (?:bezorgd|afgeleverd)|onbekend',
  'kunde inte|kunne ikke|nie (?:mogła|można|został)|nedoruč|teslim edilem|iletilem',
  'не может быть доставлен|не (?:было )?доставлен|невозможно доставить|не удалось доставить|не существует',
  'でき(?:ません|なかった)|エラー|存在しません|見つかりません|届き(?:ません)|ありません|失敗しました',
  '无法(?:发送|投递|送达|到达)|失败|退信|不存在|無法|失敗|배달|전송되지|반송',
])

/** Phrases that say that the sender need do nothing, since the mail is still on its way. */
export const STILL_TRYING = anyOf([
  'will (?:be retried|continue (?:to|trying)|keep trying|be made|retry|try again)|still trying|(?:attempts|continue) will continue',
  'not yet been delivered|has(?: not|n.t) been delivered yet|warning message only|temporary failure report|do(?:es)? not need to re-?send|need not resend',
  'is delayed|been delayed|delivery delayed|been postponed|delayed for more|just a warning|this is (?:only )?a warning|attempts will continue|deliver\\w* incomplete|warning\\W{1,3}could not send',
  'verzögert|noch nicht zugestellt|retardé|se ha retrasado|in ritardo|atrasada|задержан|遅延|遅れて|延迟|延遲',
])

/** Phrases that say that there is no further attempt, whatever was said of waiting. */
export const GIVEN_UP = anyOf([
  'giv(?:en|ing) up',
  'not going to try',
  'has been removed from the',
  'message expired',
  'could not be delivered for',
])

/** Replies of a mailbox that takes mail again once its owner has cleaned it up. */
export const MAILBOX_FULL = anyOf([
  '(?:mail ?box|mailfolder|account|inbox|folder|storage|disk)[^.]{0,30} (?:is |was |has )?(?:full|over ?quota|exceed)|mailbox full|mail ?box space not enough',
  '(?:over|exceed\\w*|exceeding)(?: \\w+){0,3} (?:quota|mail ?box|storage|disk)|quota (?:exceed|violation|full|has been)|over quota|out of (?:storage|disk) (?:space|quota)|too much mail',
  'local limit|mailbox exceeds|insufficient (?:disk|system storage)|容量|いっぱい|已满|已滿|超过',
])

/** Replies that say that the address does not exist. */
export const NO_SUCH_ADDRESS = anyOf([
  "(?:user|account|recipient|mailbox|address|e-?mail|inbox|alias)(?: \\S+)? (?:is |was |has been )?(?:unknown|invalid|not (?:found|known|exist\\w*|listed|valid|available)|disabled|inactive|does ?n[o\u2019']t exist)",
  '(?:unknown|invalid|no such|nonexistent|non-existent|bad|disabled|inactive) (?:local )?(?:user|account|recipient|mailbox|address|person|domain|destination|host)|does not (?:exist|have an? \\S+ account)|no mailbox here|unrouteable|host (?:unknown|not found)|domain (?:name )?not found',
])

/** Replies of a server that wants no mail from this sender, or not this mail. */
export const REFUSED_SENDER = anyOf([
  'spam|virus|phish|malware|block(?:ed|list| list)|black ?list|denied|polic(?:y|ies)|reputation|dmarc|\\bspf\\b|dkim|not (?:authorized|authorised|permitted|allowed)|relay(?:ing)? ',
])

/** Lines above the returned mail, in reports that put it into the text. */
export const RETURNED_BELOW = anyOf([
  '^[\\s>|*=-]{0,20}(?:below )?(?:this|the next)? ?(?:line )?(?:this |is |here is )?(?:is )?a copy of (?:the|your|this) (?:original )?(?:message|mail)',
  '^[\\s|*=#-]{2,80} ?(?:(?:the )?header of the )?(?:original|returned|unsent|undelivered|source|attached) (?:message|mail)',
  '^[\\s|*=#-]{2,80} ?(?:message (?:header|text|content)|start of returned|header of|mensaje original|the header and)',
  '^(?:original (?:message|mail)(?: as received is as)? follows|message headers? follows?|original message headers|here is a copy of|included is a copy of)',
  '^ {0,8}(?:below is|this is|the following is|here is|enclosed is) (?:a|the) (?:copy|first)',
  'original message (?:below this line|follow)|your message reads|first \\d+ lines of',
  '^[\\s-]{0,20}附件中|^---\\s?ниже|^---\\s?original',
])

/** Reasons for returning a mail that may get through another day. */
export const UNREACHED = anyOf([
  'tim(?:ed?|ing) ?out|giving up|queue too long|message expired|too long in (?:the )?queue|unable to connect|could ?n.t connect|not responding',
  'connection (?:refused|dropped|lost)|unreachable|not reachable|hosts have been failing|network (?:error|problem)|establish an smtp connection|temporar|try (?:again )?later',
])
