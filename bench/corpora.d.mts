export const messageFolders: readonly string[]
export function readMessages(): { name: string; raw: Buffer }[]
