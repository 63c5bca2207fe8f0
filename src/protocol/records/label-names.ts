/** The id, and the name, of the label of the service for spam: the same in every account. */
export const spamLabelId = 'spam'

/** Tells whether a message is marked as spam. */
export const isSpam = ({ label_ids }: { label_ids: readonly string[] }): boolean =>
  label_ids.includes(spamLabelId)

/** Names of labels that differ in case only are the same. */
export const foldLabelName = (name: string): string => name.trim().toLowerCase()
