// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include <atomic>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "softlib/pool.hpp"
#include "softlib/testing.hpp"
#include "tests/soft_test.hpp"

namespace soft {
namespace {

using Picture = std::array<int, 100>;

// A post of a forum, and the picture that belongs to it (Midas, section 4.1.1).
struct Post {
    int number = 0;
    weak_ptr<Picture> picture;
};
static_assert(std::is_trivially_copyable_v<Post>);

class OwnershipTest : public SoftTest {
protected:
    pool<Picture> pictures{heap, "pictures", [] { return Picture{1}; }};
    pool<Post, int> posts{heap, "posts", [this](int number) {
                              auto picture = pictures.make_shared();
                              Post post{number, weak_ptr(picture)};
                              own(std::move(picture));
                              return post;
                          }};

    [[nodiscard]] std::uint64_t nr_pictures() const { return pictures.statistics().objects; }
};

TEST_F(OwnershipTest, WhatAReconstructorMakesOwnsWhatItSays) {
    const auto post = posts.make();
    const Post read = post.read(7);
    EXPECT_EQ(nr_pictures(), 1U);
    const auto picture = read.picture.lock();
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture.read()[0], 1);
}

TEST_F(OwnershipTest, WithTheContentGoesWhatItOwns) {
    const auto post = posts.make();
    const Post read = post.read(7);
    post.clear();
    EXPECT_EQ(nr_pictures(), 0U);
    EXPECT_FALSE(read.picture.lock());
}

TEST_F(OwnershipTest, WithTheOwnerGoesWhatItOwns) {
    {
        const auto post = posts.make();
        post.read(7);
    }
    EXPECT_EQ(nr_pictures(), 0U);
}

TEST_F(OwnershipTest, WhatIsWrittenOwnsNothingOfWhatWasThereBefore) {
    const auto post = posts.make();
    const auto old_picture = post.read(7).picture;
    post.write(Post{8, {}});
    EXPECT_EQ(nr_pictures(), 0U);
    const auto picture = pictures.make_shared();
    post.own(picture);
    EXPECT_EQ(picture.use_count(), 2U);
    EXPECT_FALSE(old_picture.lock());
}

TEST_F(OwnershipTest, ALostOwnerDropsWhenItIsMissed) {
    const auto post = posts.make();
    const auto first = post.read(7).picture;
    lose_all();
    const auto second = post.read(7).picture;
    EXPECT_FALSE(first.lock());
    EXPECT_TRUE(second.lock());
    EXPECT_EQ(nr_pictures(), 1U);
}

TEST_F(OwnershipTest, AnEvictedOwnerDropsWithoutBeingMissed) {
    const auto post = posts.make();
    post.read(7);
    heap.seal();
    EXPECT_GT(heap.release(1), 0U);
    EXPECT_EQ(nr_pictures(), 0U);
}

TEST_F(OwnershipTest, AnOwnerThatIsMovedKeepsWhatItOwns) {
    auto gap = posts.make();
    const auto post = posts.make();
    post.read(7);
    heap.seal();
    heap.evacuate();
    EXPECT_GT(heap.statistics().moved_objects, 0U);
    EXPECT_EQ(nr_pictures(), 1U);
}

TEST_F(OwnershipTest, WhatSomebodyElseHasStays) {
    const auto picture = pictures.make_shared();
    {
        const auto post = posts.make(Post{1, weak_ptr(picture)});
        post.own(picture);
        EXPECT_EQ(picture.use_count(), 2U);
    }
    EXPECT_EQ(picture.use_count(), 1U);
    EXPECT_EQ(nr_pictures(), 1U);
}

TEST_F(OwnershipTest, AFailedRebuildLeavesNothing) {
    pool<Post, int> shaky(heap, "shaky", [&](int) -> Post {
        own(pictures.make_shared());
        throw std::runtime_error("no network");
    });
    const auto post = shaky.make();
    EXPECT_THROW(post.read(1), std::runtime_error);
    EXPECT_EQ(nr_pictures(), 0U);
}

TEST_F(OwnershipTest, ARebuildThatIsOvertakenByAWriteLeavesNothing) {
    const unique_ptr<Post, int>* written = nullptr;
    const auto others = pictures.make_shared();
    pool<Post, int> slow(heap, "slow", [&](int) {
        own(pictures.make_shared());
        written->write(Post{100, weak_ptr(others)});
        written->own(others);
        return Post{};
    });
    const auto post = slow.make();
    written = &post;
    post.read(1);
    EXPECT_EQ(nr_pictures(), 1U);
    EXPECT_EQ(others.use_count(), 2U);
    ASSERT_TRUE(post.try_get());
    EXPECT_TRUE(post.try_get()->picture.lock());
}

// A validation calls the reconstructor as well, perhaps within another rebuild.
TEST_F(OwnershipTest, AValidationLeavesNothing) {
    pool<int> owners(heap, "owners", [this] {
        own(pictures.make_shared());
        return 1;
    });
    const auto owner = owners.make();
    pool<int> outer(heap, "outer", [&] { return owner.read(); });
    EXPECT_EQ(owner.read(), 1);
    const auto object = outer.make();
    validate_reads(1);
    EXPECT_EQ(object.read(), 1);
    validate_reads(0);
    EXPECT_EQ(owners.statistics().validated, 1U);
    EXPECT_EQ(nr_pictures(), 1U);
}

TEST_F(OwnershipTest, OwnWithoutAnOwnerIsAnError) {
    EXPECT_THROW(own(pictures.make_shared()), std::logic_error);
    EXPECT_EQ(nr_pictures(), 0U);
}

TEST_F(OwnershipTest, APoolThatGoesDropsWhatItsObjectsOwn) {
    auto short_lived = std::make_unique<pool<int>>(heap, "short-lived", [] { return 1; });
    auto object = short_lived->make(1);
    object.own(pictures.make_shared());
    object.reset();
    short_lived.reset();
    EXPECT_EQ(nr_pictures(), 0U);
}

struct Link {
    int number = 0;
};

TEST_F(OwnershipTest, AChainOfAnyLengthIsDroppedWithoutAStackForIt) {
    pool<Link> links(heap, "links", [] { return Link{}; });
    auto first = links.make_shared({0});
    for (int i = 1; i < 200'000; ++i) {
        auto next = links.make_shared({i});
        next.own(std::move(first));
        first = std::move(next);
    }
    EXPECT_EQ(links.statistics().objects, 200'000U);
    first.reset();
    EXPECT_EQ(links.statistics().objects, 0U);
}

TEST_F(OwnershipTest, AWeakPointerIsNotMistakenForOneToTheNextObjectInItsPlace) {
    weak_ptr<Picture> weak;
    {
        const auto picture = pictures.make_shared();
        weak = weak_ptr(picture);
        EXPECT_EQ(weak.lock().use_count(), 2U);
    }
    const auto next = pictures.make_shared();
    EXPECT_FALSE(weak.lock());
    EXPECT_EQ(next.use_count(), 1U);
    EXPECT_FALSE(weak_ptr<Picture>().lock());
}

TEST_F(OwnershipTest, ThreadsThatLockWhatOthersDropGetItWholeOrNotAtAll) {
    std::atomic<bool> done{false};
    const auto post = posts.make();
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i) {
        readers.emplace_back([&] {
            while (!done) {
                if (const auto picture = post.read(1).picture.lock()) {
                    EXPECT_EQ(picture.read()[0], 1);
                }
            }
        });
    }
    for (int i = 0; i < 3000; ++i) {
        post.clear();
        std::this_thread::yield();
    }
    done = true;
    for (std::thread& reader : readers) {
        reader.join();
    }
    post.clear();
    EXPECT_EQ(nr_pictures(), 0U);
}

}  // namespace
}  // namespace soft
