export {
  ConnectorFailed,
  ConnectorInvalid,
  ConstraintViolated,
  InvalidKeyValueArgument,
  IsolationUnknown,
  KeyNotFound,
  TransactionConflict,
  TransactionOver,
  ValueRefused
} from './errors.ts'
export { loopback, loopback as default } from './loopback.ts'
