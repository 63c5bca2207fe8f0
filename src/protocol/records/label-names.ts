/** Labels of the service: every account has them, each with its name as its id. */
export const systemLabelIds = ['archived', 'spam', 'trash', 'unread'] as const
/** Id of a label of the service. */
export type SystemLabelId = (typeof systemLabelIds)[number]

/** Labels that hide messages: lists, searches and threads omit them, unless requested. */
export const awayLabelIds = ['spam', 'trash'] as const satisfies readonly SystemLabelId[]
/** Id of a label that hides messages. */
export type AwayLabelId = (typeof awayLabelIds)[number]

/** Messages to include: spam, trash, or both. */
export type IncludeAway = AwayLabelId | 'all'

/** Label names that differ only in case are equal. */
export const foldLabelName = (name: string): string => name.trim().toLowerCase()

/** Returns the label of the service for a name or an id; null if it is a label of the account. */
export const systemLabelOf = (nameOrId: string): SystemLabelId | null =>
  systemLabelIds.find((id) => id === foldLabelName(nameOrId)) ?? null

/**
 * Returns the labels whose messages a list omits. A request for one of them by its name or id gets all its
 * messages, including those with the other label.
 */
export const leftOutOf = ({
  label,
  include,
}: {
  label?: string | undefined
  include?: IncludeAway | undefined
}): readonly AwayLabelId[] => {
  const asked = label === undefined ? null : systemLabelOf(label)
  if (include === 'all' || asked === 'spam' || asked === 'trash') return []
  return awayLabelIds.filter((id) => id !== include)
}

/** Returns whether a message has one of these labels. */
export const hasAnyLabel = (
  { label_ids }: { label_ids: readonly string[] },
  ids: readonly SystemLabelId[],
): boolean => ids.some((id) => label_ids.includes(id))

/** Returns whether a message is in spam or in the trash. */
export const isAway = (record: { label_ids: readonly string[] }): boolean => hasAnyLabel(record, awayLabelIds)
