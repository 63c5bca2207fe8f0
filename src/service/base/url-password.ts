/** Checks whether one of the URLs in a text has a password, or the token of a NATS server. */
export const holdsPassword = (text: string): boolean =>
  text.split(',').some((one) => {
    const url = /^\s*([a-z][a-z\d+.-]*):\/\/([^/?#]*)@/i.exec(one)
    return url !== null && (url[2]!.includes(':') || /^(nats|tls)$/i.test(url[1]!))
  })
