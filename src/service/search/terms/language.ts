import { fold } from './fold'

/** Common words of nearly every text of a language, which are rare in the other languages here. */
const commonWords = {
  english:
    'the and of to is that for it you with this are be have not your we can will from our please has been was would if there they what which their any about when thanks on in a i as do no so at by or an me my he she but all one up out were him them men come son pour',
  german:
    'der und das ist nicht ich sie ein eine mit von zu den auf für dem wir auch sich des wird bei oder aus werden einen haben ihr ihre bitte wie noch',
  french:
    'le la les et est une des du que pour dans vous je nous pas avec sur qui ce votre sont au par cette mais merci bonjour être',
  spanish:
    'el los las que y una del por con para su no se es lo al como más pero sus este esta gracias usted hola',
  italian: 'il di che è per una non con sono della del le gli più anche questo come ma grazie alla nel ciao',
  portuguese: 'o os que e não uma do da em para com por mais como você obrigado ao dos das são está seu',
  dutch: 'het een van en dat niet ik je met voor zijn er maar ook aan bij wij deze naar heeft kunnen graag',
  nordic: 'och att det som är en på av för med den inte jag og ikke er til af på vi har kan om men eller',
  polish: 'nie się na jest że do i w z to jak ale czy dla oraz proszę są po tak',
  turkish: 've bir bu için ile da de ne çok olarak daha ama gibi olan var mi teşekkürler',
  finnish: 'ja on ei että se en ovat oli mutta kun niin myös tai joka hän kiitos ole',
  indonesian: 'yang dan di untuk dengan ini itu dari pada tidak akan kami anda saya adalah ke atau',
} as const

type Language = keyof typeof commonWords

const languagesOf = new Map<string, Language[]>()

/** Returns the table, filled on first use, so that a service that indexes nothing does not hold it. */
function table(): Map<string, Language[]> {
  if (languagesOf.size > 0) return languagesOf
  for (const [language, words] of Object.entries(commonWords))
    for (const word of new Set(fold(words).split(' ')))
      languagesOf.set(word, [...(languagesOf.get(word) ?? []), language as Language])
  return languagesOf
}

/** Checks whether a word is so common in English texts that it says nothing about their subject. */
export const isCommonEnglish = (word: string): boolean => table().get(word)?.includes('english') ?? false

/** Checks whether a word is so common in a language that a search for it is no search for a subject. */
export const isCommon = (word: string): boolean => table().has(word)

/** Words that suffice to detect a language. */
const maxTokens = 2_000
/** Minimum number of common words: fewer may be names, or a quotation. */
const minWords = 3
const latin = /^[a-z0-9]/

/**
 * Checks whether a text is in another language than English, by its commonest words; by default it is not.
 */
export function isForeign(tokens: readonly string[]): boolean {
  const counts: Partial<Record<Language, number>> = {}
  let foreignScript = 0
  for (const token of tokens.slice(0, maxTokens)) {
    if (!latin.test(token)) foreignScript++
    for (const language of table().get(token) ?? []) counts[language] = (counts[language] ?? 0) + 1
  }
  const { english = 0, ...others } = counts
  if (foreignScript * 2 > Math.min(tokens.length, maxTokens)) return true
  const most = Math.max(0, ...Object.values(others))
  return most >= minWords && most > english
}
