export { replay, type Failure, type RunningApp, type StartApp } from './replay.ts'
export type { Scenario } from './scenario.ts'
