import { isServiceError } from '../protocol'

/** Waits for a deletion; what is gone already, by an attempt whose answer got lost or otherwise, is deleted. */
export const deleted = async (deletion: Promise<unknown>): Promise<void> => {
  try {
    await deletion
  } catch (error) {
    if (!isServiceError(error, 'not_found')) throw error
  }
}
