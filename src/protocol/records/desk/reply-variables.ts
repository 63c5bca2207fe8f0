/** Variables of saved replies, as `{{name}}`. */
export const replyVariables = ['name', 'first_name', 'address', 'subject', 'operator'] as const
/** A variable of saved replies. */
type ReplyVariable = (typeof replyVariables)[number]

/** Values of the variables; one that is left out or empty stays in the text. */
export type ReplyValues = Partial<Record<ReplyVariable, string | null>>

/** Most characters of a value: names and subjects are written by strangers. */
const maxValue = 200
/** A variable has at most 40 characters, so that no text is searched twice. */
const variable = /\{\{ {0,4}([A-Za-z_]{1,40}) {0,4}\}\}/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they would start a line
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

const isKnown = (name: string): name is ReplyVariable => replyVariables.some((one) => one === name)

/** Returns the names in a text that are no variables. */
export const unknownVariables = (text: string): string[] =>
  [...text.matchAll(variable)].flatMap(([, name]) => (isKnown(name!) ? [] : name!))

/** Returns the variables in a text, each once: they have no value yet, or nobody filled them. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(variable)].flatMap(([, name]) => (isKnown(name!) ? name! : []))),
]

/**
 * Fills the variables of a saved reply. Values become one line of at most 200 characters, and are not searched
 * for variables.
 */
export const fillReply = (text: string, values: ReplyValues): string =>
  text.replace(variable, (written, name: string) => {
    const value = isKnown(name) ? values[name] : undefined
    return value?.slice(0, maxValue).replace(controls, ' ').trim() || written
  })
