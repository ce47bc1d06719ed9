//! What the person configured: servers, policy, polling, the screen; and who agreed to which launch.
