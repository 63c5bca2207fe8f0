/** The largest file that may be uploaded: no mail may be larger. */
export const maxUploadBytes = 25 * 1024 * 1024
