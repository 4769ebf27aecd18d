import { isFailure, PlumblineError } from '../../errors.ts';
import { withoutFolder } from '../../store/staged-uploads.ts';

/** Runs `work` on a staged file. What is wrong with the file or a mapping is reported to the user. */
export async function reportingUsage<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error, 'usage')) throw error;
    throw new PlumblineError('bad_request', withoutFolder(error.message, path), { cause: error });
  }
}
