export { isBelow } from './is-below.ts'
export { requestPath } from './request-path.ts'
export { splitTarget, type RequestPath } from './split-target.ts'
export { encodeSegment, hasDotSegment, writePath } from './write-path.ts'
