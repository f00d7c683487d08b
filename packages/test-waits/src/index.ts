export { runs } from './runs.ts'
export { until } from './until.ts'
export { takeTime } from './take-time.ts'
