/** The largest mail that is sent or, unless the host says otherwise, taken. */
export const maxMailBytes = 25 * 1024 * 1024
/** The largest file that may be uploaded: no mail may be larger. */
export const maxUploadBytes = maxMailBytes
