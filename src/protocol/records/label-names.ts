/** The labels of the service: every account has them, each with its name as its id. */
export const systemLabelIds = ['archived', 'spam', 'trash', 'unread'] as const
/** The id of a label of the service. */
export type SystemLabelId = (typeof systemLabelIds)[number]

/** The labels that put mail away: lists, searches and threads leave it out, unless they are asked for it. */
export const awayLabelIds = ['spam', 'trash'] as const satisfies readonly SystemLabelId[]
/** The id of a label that puts mail away. */
export type AwayLabelId = (typeof awayLabelIds)[number]

/** The messages to include: in spam, in the trash, or both. */
export type IncludeAway = AwayLabelId | 'all'

/** Names of labels that differ in case only are the same. */
export const foldLabelName = (name: string): string => name.trim().toLowerCase()

/** Finds the label of the service that a name or an id means; null where it means one of the account. */
export const systemLabelOf = (nameOrId: string): SystemLabelId | null =>
  systemLabelIds.find((id) => id === foldLabelName(nameOrId)) ?? null

/**
 * The labels whose mail a list leaves out. Who asks for one of them by its name or id gets all that has it, also what has
 * the other one too.
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

/** Tells whether a message has one of these labels. */
export const hasAnyLabel = (
  { label_ids }: { label_ids: readonly string[] },
  ids: readonly SystemLabelId[],
): boolean => ids.some((id) => label_ids.includes(id))

/** Tells whether a message is in spam or in the trash. */
export const isAway = (record: { label_ids: readonly string[] }): boolean => hasAnyLabel(record, awayLabelIds)
