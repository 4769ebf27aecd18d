import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { readSession, signOut, type Session } from '../api/account.ts';
import { asProblem, type Problem } from '../api/problem.ts';
import { onSignedOut, setCsrfToken } from '../api/request.ts';
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx';
import { ProblemNotice, Waiting } from '../parts/basics.tsx';

interface SignedIn {
  readonly session: Session;
  readonly isAdministrator: boolean;
  readonly signOut: () => Promise<void>;
}

const SignedInContext = createContext<SignedIn | null>(null);

/** The signed-in user. Pages are shown only to signed-in users. */
export function useSession(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (!signedIn) throw new Error('useSession() was called outside of SessionProvider.');
  return signedIn;
}

/** Whether the account has a limit of credits. Without one, pages show no costs. */
export function useHasCreditLimit(): boolean {
  return useSession().session.prices !== null;
}

/** Whether a user is signed in: read once, and valid until a response says that the session has ended. */
type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'in'; readonly session: Session }
  | { readonly kind: 'out'; readonly hasEnded: boolean }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Shows the pages to a signed-in user, otherwise the form to sign in. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const startSession = useCallback((session: Session) => {
    setCsrfToken(session.csrf_token);
    setState({ kind: 'in', session });
  }, []);
  const loadSession = useCallback(() => {
    setState({ kind: 'loading' });
    readSession().then(startSession, (error: unknown) => {
      const problem = asProblem(error);
      if (problem.status !== 401) setState({ kind: 'failed', problem });
    });
  }, [startSession]);
  useEffect(() => {
    // The address stays the same, so that signing in again shows the same page.
    onSignedOut(() => setState((before) => ({ kind: 'out', hasEnded: before.kind === 'in' })));
    loadSession();
  }, [loadSession]);
  const signedIn = useMemo((): SignedIn | null => {
    if (state.kind !== 'in') return null;
    const { session } = state;
    const endSession = async (): Promise<void> => {
      await signOut();
      setState({ kind: 'out', hasEnded: false });
    };
    return { session, isAdministrator: session.user.role === 'administrator', signOut: endSession };
  }, [state]);
  if (state.kind === 'loading') return <Waiting for="Checking your session" />;
  if (state.kind === 'out') return <SignInPage hasEnded={state.hasEnded} onSignIn={startSession} />;
  if (state.kind === 'failed') {
    return (
      <main class="sign-in">
        <h1>Plumbline</h1>
        <ProblemNotice problem={state.problem} onRetry={loadSession} />
      </main>
    );
  }
  return <SignedInContext.Provider value={signedIn}>{children}</SignedInContext.Provider>;
}
