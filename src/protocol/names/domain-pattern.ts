/**
 * Pattern of a domain name up to the end of the text. Its labels may be in any script (RFC 5890 section
 * 2.3.2.3) and have at most 63 characters. An underscore is valid.
 */
export const domainPattern = String.raw`(?:(?![-\p{M}])[\p{L}\p{M}\p{N}_-]{1,63}(?<!-)(?:\.(?!$)|$))+$`
