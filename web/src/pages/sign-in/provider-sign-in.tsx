import { readSignInOptions, startProviderSignIn, type SignInOptions } from '../../api/account.ts';
import { useAction, useRequest, type Loaded } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';

/** The identity provider sends the browser back with this parameter if it did not sign the user in. */
const PROBLEM = 'sign_in_problem';

export function useSignInOptions(): Loaded<SignInOptions> {
  return useRequest(
    (signal) => readSignInOptions(new URLSearchParams(location.search).get(PROBLEM), signal),
    [],
  );
}

/** The page to return to: the current one, without the problem of an earlier try. */
function currentPage(): string {
  const query = new URLSearchParams(location.search);
  query.delete(PROBLEM);
  return location.pathname + (query.size === 0 ? '' : `?${query}`);
}

/** Leads to the identity provider, if the operator set one up. */
export function ProviderSignIn({ options }: { readonly options: Loaded<SignInOptions> }) {
  const starting = useAction(async () => location.assign(await startProviderSignIn(currentPage())));
  if (options.problem) return <ProblemNotice problem={options.problem} onRetry={options.reload} />;
  const provider = options.data?.provider;
  if (!provider) return null;
  return (
    <div class="other-sign-in stack">
      {starting.problem && (
        <Notice kind="error">
          <p>{starting.problem.message}</p>
        </Notice>
      )}
      <Button busy={starting.isBusy && `Opening ${provider.name} …`} onClick={starting.run}>
        Sign in with {provider.name}
      </Button>
    </div>
  );
}
