export { answeredElsewhere } from './connections.ts'
export { defaultShutdownTime } from './end-gracefully.ts'
