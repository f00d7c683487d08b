/** Everything is well. */
export const succeeded = 0
/** The command did its work and found something wrong, or the work failed. */
export const failed = 1
/** The command was not understood, or needs something that it was not given. */
export const misused = 2
