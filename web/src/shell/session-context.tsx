import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { readSession, signOut, type Session } from '../api/account.ts';
import { asProblem, type Problem } from '../api/problem.ts';
import { onSignedOut, setCsrfToken } from '../api/request.ts';

export interface SignedIn {
  readonly session: Session;
  readonly isAdministrator: boolean;
  readonly leave: () => Promise<void>;
}

const SignedInContext = createContext<SignedIn | null>(null);

/** The signed-in user. Pages are shown only to signed-in users. */
export function useSession(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (!signedIn) throw new Error('useSession() was called outside of SessionProvider.');
  return signedIn;
}

/** Whether a user is signed in: requested once, then updated from every response. */
type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'in'; readonly session: Session }
  | { readonly kind: 'out'; readonly hasEnded: boolean }
  | { readonly kind: 'failed'; readonly problem: Problem };

export function SessionProvider(props: {
  readonly children: ComponentChildren;
  readonly waiting: ComponentChildren;
  readonly signIn: (given: {
    readonly hasEnded: boolean;
    readonly onSignIn: (session: Session) => void;
  }) => ComponentChildren;
  readonly failed: (problem: Problem, onRetry: () => void) => ComponentChildren;
}) {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const enter = useCallback((session: Session) => {
    setCsrfToken(session.csrf_token);
    setState({ kind: 'in', session });
  }, []);
  const ask = useCallback(() => {
    setState({ kind: 'loading' });
    readSession().then(enter, (error: unknown) => {
      const problem = asProblem(error);
      if (problem.status !== 401) setState({ kind: 'failed', problem });
    });
  }, [enter]);
  useEffect(() => {
    // The address stays the same, so that signing in again shows the same page.
    onSignedOut(() => setState((before) => ({ kind: 'out', hasEnded: before.kind === 'in' })));
    ask();
  }, [ask]);
  const signedIn = useMemo((): SignedIn | null => {
    if (state.kind !== 'in') return null;
    const { session } = state;
    const leave = async (): Promise<void> => {
      await signOut();
      setState({ kind: 'out', hasEnded: false });
    };
    return { session, isAdministrator: session.user.role === 'administrator', leave };
  }, [state]);
  if (state.kind === 'loading') return <>{props.waiting}</>;
  if (state.kind === 'failed') return <>{props.failed(state.problem, ask)}</>;
  if (state.kind === 'out') return <>{props.signIn({ hasEnded: state.hasEnded, onSignIn: enter })}</>;
  return <SignedInContext.Provider value={signedIn}>{props.children}</SignedInContext.Provider>;
}
