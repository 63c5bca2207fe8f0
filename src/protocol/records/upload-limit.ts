/** Most bytes of a message that is sent or, unless the administrator sets another limit, received. */
export const maxMailBytes = 25 * 1024 * 1024
/** Most bytes of an uploaded file: no message may be larger. */
export const maxUploadBytes = maxMailBytes
/** Maximum number of recipients of a message. */
export const maxRecipients = 100
