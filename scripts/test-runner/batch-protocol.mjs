/** Starts the TAP comment that a batch writes before the points of each file. */
export const fileMarker = 'modelwire test file: '

/** Where a batch writes, at once, the name of each file it starts. */
export const progressFd = 3

/** The last line of progress: every file had its turn. */
export const finishedLine = '(finished)'

/** Starts the line of progress that a process writes after all its exit handlers; the exit code follows. */
export const exitMarker = 'exits with '

/** What a process of tests sends to get its next file. */
export const nextRequest = 'modelwire: next test file'
