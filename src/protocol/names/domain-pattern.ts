/**
 * The pattern of a domain name up to the end of the text, its labels in any script (RFC 5890 section 2.3.2.3) and of at
 * most 63 characters; an underline passes as a letter.
 */
export const domainPattern = String.raw`(?:(?![-\p{M}])[\p{L}\p{M}\p{N}_-]{1,63}(?<!-)(?:\.(?!$)|$))+$`
